import { EigenvalueDecomposition, Matrix as SquareMatrix } from "ml-matrix";
import {
  addRow,
  createMatrix,
  type Matrix,
  orthonormalize,
  productOf,
  ROWS_BETWEEN_PAUSES,
} from "./dense.ts";
import { createNormalSource } from "./hashing.ts";

/** The document-term matrix in both orders, since both products are needed. */
export interface Sparse {
  documents: number;
  terms: number;
  byDocument: Compressed;
  byTerm: Compressed;
}

/** Row r holds the entries from `starts[r]` to `starts[r + 1]`. */
interface Compressed {
  starts: Uint32Array;
  columns: Uint32Array;
  values: Float32Array;
}

const OVERSAMPLE = 20;
const POWER_ITERATIONS = 1;
const SEED = 20_261_121;
const SMALLEST = 1e-6;

/**
 * The term vectors of the `k` strongest directions of a document-term matrix, each scaled so that a document's sum of
 * weighted term vectors has its coordinates times the singular value. Randomised subspace iteration (Halko, Martinsson,
 * Tropp 2011) over the documents, which are fewer than the terms.
 */
export function* termVectorsOf(sparse: Sparse, k: number): Generator<void, Matrix> {
  const columns = Math.min(k + OVERSAMPLE, sparse.documents);
  const y = yield* multiply(sparse.byDocument, yield* randomMatrix(sparse.terms, columns));
  yield* orthonormalize(y);
  let basis = y;
  for (let round = 0; round < POWER_ITERATIONS; round += 1) {
    basis = yield* timesItsTranspose(sparse, basis);
    yield* orthonormalize(basis);
  }
  // The eigenvectors of QᵀAAᵀQ turn Q to the left singular vectors; Aᵀ brings those to the terms.
  const gram = yield* productOf(basis, yield* timesItsTranspose(sparse, basis));
  const turned = yield* turn(basis, { ...eigenOf(gram, columns), k: Math.min(k, columns) });
  return yield* multiply(sparse.byTerm, turned);
}

function* timesItsTranspose(sparse: Sparse, q: Matrix): Generator<void, Matrix> {
  return yield* multiply(sparse.byDocument, yield* multiply(sparse.byTerm, q));
}

function* multiply(sparse: Compressed, dense: Matrix): Generator<void, Matrix> {
  const rows = sparse.starts.length - 1;
  const result = createMatrix(rows, dense.columns);
  for (let row = 0; row < rows; row += 1) {
    const end = sparse.starts[row + 1] ?? 0;
    for (let at = sparse.starts[row] ?? 0; at < end; at += 1) {
      const factor = sparse.values[at] ?? 0;
      addRow(result, row, { source: dense, sourceRow: sparse.columns[at] ?? 0, factor });
    }
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
  }
  return result;
}

function* randomMatrix(rows: number, columns: number): Generator<void, Matrix> {
  const matrix = createMatrix(rows, columns);
  const next = createNormalSource(SEED);
  for (let at = 0; at < matrix.data.length; at += 1) {
    matrix.data[at] = next();
    if (at % (ROWS_BETWEEN_PAUSES * columns) === 0) yield;
  }
  return matrix;
}

interface Eigen {
  /** Eigenvalues in descending order. */
  values: number[];
  /** The eigenvector of each, as an array of its coordinates. */
  vectors: number[][];
}

function eigenOf(symmetric: Float64Array, size: number): Eigen {
  const matrix = SquareMatrix.from1DArray(size, size, symmetric);
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(matrix, {
    assumeSymmetric: true,
  });
  const order = realEigenvalues.map((_, at) => at);
  order.sort((a, b) => (realEigenvalues[b] ?? 0) - (realEigenvalues[a] ?? 0));
  return {
    values: order.map((at) => realEigenvalues[at] ?? 0),
    vectors: order.map((at) => eigenvectorMatrix.getColumn(at)),
  };
}

// Aᵀ times the left singular vectors is the right ones times S; hence the exponent.
function* turn(
  basis: Matrix,
  { vectors, values, k }: Eigen & { k: number },
): Generator<void, Matrix> {
  const { rows, columns } = basis;
  const floor = Math.sqrt(Math.max(values[0] ?? 0, 0)) * SMALLEST;
  const factors = createMatrix(columns, k);
  for (let direction = 0; direction < k; direction += 1) {
    const singular = Math.sqrt(Math.max(values[direction] ?? 0, 0));
    const scale = singular <= floor ? 0 : singular ** -1;
    for (let row = 0; row < columns; row += 1) {
      factors.data[row * k + direction] = (vectors[direction]?.[row] ?? 0) * scale;
    }
  }
  const result = createMatrix(rows, k);
  for (let row = 0; row < rows; row += 1) {
    for (let i = 0; i < columns; i += 1) {
      const factor = basis.data[row * columns + i] ?? 0;
      addRow(result, row, { source: factors, sourceRow: i, factor });
    }
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
  }
  return result;
}
