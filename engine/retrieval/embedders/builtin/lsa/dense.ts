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

const BATCH = 4;

/** Sums multiples of rows, four at a time: a target is loaded and stored once for four products. */
export class RowSum {
  readonly #target: Float32Array;
  readonly #source: Float32Array;
  readonly #columns: number;
  readonly #rows = new Int32Array(BATCH);
  readonly #factors = new Float64Array(BATCH);
  #pending = 0;
  #at = 0;

  constructor(target: Matrix, source: Matrix) {
    this.#target = target.data;
    this.#source = source.data;
    this.#columns = target.columns;
  }

  /** Sets the target of further rows. */
  begin(row: number): void {
    this.#at = row * this.#columns;
    this.#pending = 0;
  }

  /** Adds `factor` times a row of the source. */
  add(row: number, factor: number): void {
    this.#rows[this.#pending] = row;
    this.#factors[this.#pending] = factor;
    this.#pending += 1;
    if (this.#pending === BATCH) this.end();
  }

  /** Adds the pending rows. */
  end(): void {
    if (this.#pending === 0) return;
    for (let at = this.#pending; at < BATCH; at += 1) {
      this.#rows[at] = this.#rows[0] ?? 0;
      this.#factors[at] = 0;
    }
    this.#pending = 0;
    this.#addFour();
  }

  #addFour(): void {
    const target = this.#target;
    const source = this.#source;
    const columns = this.#columns;
    const at = this.#at;
    const [rows, factors] = [this.#rows, this.#factors];
    const a = (rows[0] ?? 0) * columns;
    const b = (rows[1] ?? 0) * columns;
    const c = (rows[2] ?? 0) * columns;
    const d = (rows[3] ?? 0) * columns;
    const p = factors[0] ?? 0;
    const q = factors[1] ?? 0;
    const r = factors[2] ?? 0;
    const s = factors[3] ?? 0;
    for (let i = 0; i < columns; i += 1) {
      target[at + i] =
        (target[at + i] ?? 0) +
        p * (source[a + i] ?? 0) +
        q * (source[b + i] ?? 0) +
        r * (source[c + i] ?? 0) +
        s * (source[d + i] ?? 0);
    }
  }
}

/** YᵀZ if it is symmetric, such as YᵀY; in double precision. */
export function* productOf(y: Matrix, z: Matrix): Generator<void, Float64Array> {
  const { rows, columns, data } = y;
  const right = z.data;
  const product = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row += BATCH) {
    // Fewer than four last rows are filled up by the first one with the weight 0.
    const starts = Array.from({ length: BATCH }, (_, at) => (row + at < rows ? row + at : row));
    const [a = 0, b = 0, c = 0, d = 0] = starts.map((start) => start * columns);
    for (let i = 0; i < columns; i += 1) {
      const p = data[a + i] ?? 0;
      const q = b === a ? 0 : (data[b + i] ?? 0);
      const r = c === a ? 0 : (data[c + i] ?? 0);
      const s = d === a ? 0 : (data[d + i] ?? 0);
      const at = i * columns;
      for (let j = i; j < columns; j += 1) {
        product[at + j] =
          (product[at + j] ?? 0) +
          p * (right[a + j] ?? 0) +
          q * (right[b + j] ?? 0) +
          r * (right[c + j] ?? 0) +
          s * (right[d + j] ?? 0);
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
  const inverse = Float64Array.from({ length: columns }, (_, i) => {
    const diagonal = r[i * columns + i] ?? 0;
    return diagonal === 0 ? 0 : 1 / diagonal;
  });
  for (let row = 0; row < rows; row += 1) {
    solveRow(data.subarray(row * columns, (row + 1) * columns), r, inverse);
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
  }
}

// Solves xR = y in place, two unknowns at a time, so that the rest is loaded and stored once for both.
function solveRow(y: Float32Array, r: Float64Array, inverse: Float64Array): void {
  const columns = y.length;
  for (let i = 0; i < columns; i += 2) {
    const first = i * columns;
    const second = first + columns;
    const p = (y[i] ?? 0) * (inverse[i] ?? 0);
    y[i] = p;
    if (i + 1 === columns) return;
    const q = ((y[i + 1] ?? 0) - p * (r[first + i + 1] ?? 0)) * (inverse[i + 1] ?? 0);
    y[i + 1] = q;
    for (let j = i + 2; j < columns; j += 1) {
      y[j] = (y[j] ?? 0) - p * (r[first + j] ?? 0) - q * (r[second + j] ?? 0);
    }
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
