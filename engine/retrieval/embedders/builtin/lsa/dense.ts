// Indexes are within bounds by construction. `?? 0` satisfies the compiler; the optimizer removes it, as a typed array has no
// other values there (measured: no difference).

/** A matrix, row after row. Single precision halves the memory traffic, which bounds these sums. */
export interface Matrix {
  rows: number;
  columns: number;
  data: Float32Array;
}

export function createMatrix(rows: number, columns: number): Matrix {
  return { rows, columns, data: new Float32Array(rows * columns) };
}

/** Adds `factor` times a row of the source to a row of the target. */
export function addRow(
  target: Matrix,
  row: number,
  { source, sourceRow, factor }: { source: Matrix; sourceRow: number; factor: number },
): void {
  const { columns, data } = target;
  const [to, from] = [row * columns, sourceRow * columns];
  for (let i = 0; i < columns; i += 1) {
    data[to + i] = (data[to + i] ?? 0) + factor * (source.data[from + i] ?? 0);
  }
}

/** YᵀZ if it is symmetric, such as YᵀY; in double precision. */
export function* productOf(y: Matrix, z: Matrix): Generator<void, Float64Array> {
  const { rows, columns, data } = y;
  const right = z.data;
  const product = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = row * columns;
    for (let i = 0; i < columns; i += 1) {
      const factor = data[from + i] ?? 0;
      const at = i * columns;
      for (let j = i; j < columns; j += 1) {
        product[at + j] = (product[at + j] ?? 0) + factor * (right[from + j] ?? 0);
      }
    }
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
  }
  for (let i = 0; i < columns; i += 1) {
    for (let j = 0; j < i; j += 1) product[i * columns + j] = product[j * columns + i] ?? 0;
  }
  return product;
}

/** Rows between two possible pauses of a long computation. */
export const ROWS_BETWEEN_PAUSES = 64;

const DEPENDENT = 1e-9;

/** Makes the columns orthonormal, by Cholesky's QR. Columns that depend on others become zero. */
export function* orthonormalize(y: Matrix): Generator<void, void> {
  const { rows, columns, data } = y;
  const r = choleskyOf(yield* productOf(y, y), columns);
  for (let row = 0; row < rows; row += 1) {
    solveRow(data.subarray(row * columns, (row + 1) * columns), r);
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
  }
}

// Solves xR = y in place.
function solveRow(y: Float32Array, r: Float64Array): void {
  const columns = y.length;
  for (let i = 0; i < columns; i += 1) {
    const from = i * columns;
    const diagonal = r[from + i] ?? 0;
    const x = diagonal === 0 ? 0 : (y[i] ?? 0) / diagonal;
    y[i] = x;
    for (let j = i + 1; j < columns; j += 1) y[j] = (y[j] ?? 0) - x * (r[from + j] ?? 0);
  }
}

// Upper triangular R with RᵀR = G; a row of zeros where a column depends on those before it.
function choleskyOf(gram: Float64Array, size: number): Float64Array {
  const r = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) {
    let diagonal = gram[i * size + i] ?? 0;
    const whole = diagonal;
    for (let k = 0; k < i; k += 1) diagonal -= (r[k * size + i] ?? 0) ** 2;
    if (diagonal <= whole * DEPENDENT || whole === 0) continue;
    const root = Math.sqrt(diagonal);
    r[i * size + i] = root;
    for (let j = i + 1; j < size; j += 1) {
      let sum = gram[i * size + j] ?? 0;
      for (let k = 0; k < i; k += 1) sum -= (r[k * size + i] ?? 0) * (r[k * size + j] ?? 0);
      r[i * size + j] = sum / root;
    }
  }
  return r;
}
