// Eigenvalues of a symmetric matrix by Householder's reduction and the QL iteration: tred2 and tql2 of EISPACK, as JAMA has
// them (public domain). Rows and columns are read through small accessors' worth of arithmetic, as the loops are hot.

interface Work {
  size: number;
  /** The vectors, row after row; at first the matrix itself. */
  v: Float64Array;
  d: Float64Array;
  e: Float64Array;
}

const ITERATIONS_MAX = 60;
const EPSILON = 2 ** -52;

/** Eigenvalues in falling order, and vectors as columns in the same order. The matrix is used up. */
export function eigenOf(
  matrix: Float64Array,
  size: number,
): { values: Float64Array; vectors: Float64Array } {
  const work = { size, v: matrix, d: new Float64Array(size), e: new Float64Array(size) };
  for (let row = size - 1; row >= 0; row -= 1) work.d[row] = matrix[(size - 1) * size + row] ?? 0;
  for (let i = size - 1; i > 0; i -= 1) reduceRow(work, i);
  accumulate(work);
  iterate(work);
  return inFallingOrder(work);
}

function reduceRow({ size: n, v, d, e }: Work, i: number): void {
  let scale = 0;
  for (let k = 0; k < i; k += 1) scale += Math.abs(d[k] ?? 0);
  if (scale === 0) {
    e[i] = d[i - 1] ?? 0;
    for (let j = 0; j < i; j += 1) {
      d[j] = v[(i - 1) * n + j] ?? 0;
      v[i * n + j] = 0;
      v[j * n + i] = 0;
    }
    d[i] = 0;
    return;
  }
  let h = 0;
  for (let k = 0; k < i; k += 1) {
    d[k] = (d[k] ?? 0) / scale;
    h += (d[k] ?? 0) ** 2;
  }
  const f = d[i - 1] ?? 0;
  const g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h);
  e[i] = scale * g;
  h -= f * g;
  d[i - 1] = f - g;
  transformRow({ size: n, v, d, e }, i, h);
  d[i] = h;
}

function transformRow({ size: n, v, d, e }: Work, i: number, h: number): void {
  e.fill(0, 0, i);
  for (let j = 0; j < i; j += 1) {
    const f = d[j] ?? 0;
    v[j * n + i] = f;
    let g = (e[j] ?? 0) + (v[j * n + j] ?? 0) * f;
    for (let k = j + 1; k < i; k += 1) {
      const value = v[k * n + j] ?? 0;
      g += value * (d[k] ?? 0);
      e[k] = (e[k] ?? 0) + value * f;
    }
    e[j] = g;
  }
  let f = 0;
  for (let j = 0; j < i; j += 1) {
    e[j] = (e[j] ?? 0) / h;
    f += (e[j] ?? 0) * (d[j] ?? 0);
  }
  const half = f / (h + h);
  for (let j = 0; j < i; j += 1) e[j] = (e[j] ?? 0) - half * (d[j] ?? 0);
  for (let j = 0; j < i; j += 1) {
    const p = d[j] ?? 0;
    const q = e[j] ?? 0;
    for (let k = j; k < i; k += 1) {
      v[k * n + j] = (v[k * n + j] ?? 0) - (p * (e[k] ?? 0) + q * (d[k] ?? 0));
    }
    d[j] = v[(i - 1) * n + j] ?? 0;
    v[i * n + j] = 0;
  }
}

function accumulate({ size: n, v, d, e }: Work): void {
  for (let i = 0; i < n - 1; i += 1) {
    v[(n - 1) * n + i] = v[i * n + i] ?? 0;
    v[i * n + i] = 1;
    const h = d[i + 1] ?? 0;
    if (h !== 0) {
      for (let k = 0; k <= i; k += 1) d[k] = (v[k * n + i + 1] ?? 0) / h;
      for (let j = 0; j <= i; j += 1) {
        let g = 0;
        for (let k = 0; k <= i; k += 1) g += (v[k * n + i + 1] ?? 0) * (v[k * n + j] ?? 0);
        for (let k = 0; k <= i; k += 1) v[k * n + j] = (v[k * n + j] ?? 0) - g * (d[k] ?? 0);
      }
    }
    for (let k = 0; k <= i; k += 1) v[k * n + i + 1] = 0;
  }
  for (let j = 0; j < n; j += 1) {
    d[j] = v[(n - 1) * n + j] ?? 0;
    v[(n - 1) * n + j] = 0;
  }
  v[(n - 1) * n + n - 1] = 1;
  e[0] = 0;
}

function iterate(work: Work): void {
  const { size: n, d, e } = work;
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  let shift = 0;
  let largest = 0;
  for (let l = 0; l < n; l += 1) {
    largest = Math.max(largest, Math.abs(d[l] ?? 0) + Math.abs(e[l] ?? 0));
    let m = l;
    while (m < n - 1 && Math.abs(e[m] ?? 0) > EPSILON * largest) m += 1;
    for (let round = 0; m > l && round < ITERATIONS_MAX; round += 1) {
      shift += shiftFrom(work, l);
      chase(work, l, m);
      if (Math.abs(e[l] ?? 0) <= EPSILON * largest) break;
    }
    d[l] = (d[l] ?? 0) + shift;
    e[l] = 0;
  }
}

function shiftFrom({ size: n, d, e }: Work, l: number): number {
  const g = d[l] ?? 0;
  const next = d[l + 1] ?? 0;
  const p = (next - g) / (2 * (e[l] ?? 0));
  const r = p < 0 ? -Math.hypot(p, 1) : Math.hypot(p, 1);
  d[l] = (e[l] ?? 0) / (p + r);
  d[l + 1] = (e[l] ?? 0) * (p + r);
  const h = g - (d[l] ?? 0);
  for (let i = l + 2; i < n; i += 1) d[i] = (d[i] ?? 0) - h;
  return h;
}

function chase({ size: n, v, d, e }: Work, l: number, m: number): void {
  const diagonal = d[l + 1] ?? 0;
  const offDiagonal = e[l + 1] ?? 0;
  let p = d[m] ?? 0;
  let [c, c2, c3] = [1, 1, 1];
  let [s, s2] = [0, 0];
  for (let i = m - 1; i >= l; i -= 1) {
    c3 = c2;
    c2 = c;
    s2 = s;
    const g = c * (e[i] ?? 0);
    const h = c * p;
    const r = Math.hypot(p, e[i] ?? 0);
    e[i + 1] = s * r;
    s = (e[i] ?? 0) / r;
    c = p / r;
    p = c * (d[i] ?? 0) - s * g;
    d[i + 1] = h + s * (c * g + s * (d[i] ?? 0));
    for (let k = 0; k < n; k += 1) {
      const at = k * n + i;
      const right = v[at + 1] ?? 0;
      const left = v[at] ?? 0;
      v[at + 1] = s * left + c * right;
      v[at] = c * left - s * right;
    }
  }
  p = (-s * s2 * c3 * offDiagonal * (e[l] ?? 0)) / diagonal;
  e[l] = s * p;
  d[l] = c * p;
}

function inFallingOrder({ size: n, v, d }: Work): { values: Float64Array; vectors: Float64Array } {
  const order = Array.from(d, (_, at) => at).sort((a, b) => (d[b] ?? 0) - (d[a] ?? 0));
  const vectors = new Float64Array(n * n);
  order.forEach((from, to) => {
    for (let row = 0; row < n; row += 1) vectors[row * n + to] = v[row * n + from] ?? 0;
  });
  return { values: Float64Array.from(order, (at) => d[at] ?? 0), vectors };
}
