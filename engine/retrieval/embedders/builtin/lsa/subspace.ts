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

/** The document-term matrix: for each document the columns of its terms, and their weights. */
export interface Sparse {
  terms: number;
  documents: readonly { columns: Uint32Array; weights: Float32Array }[];
}

const OVERSAMPLE = 20;
const SEED = 20_261_121;
const SMALLEST = 1e-6;

/**
 * The term vectors of the `k` strongest directions of a document-term matrix, each scaled so that a document's sum of
 * weighted term vectors has its coordinates times the singular value. Randomised subspace iteration (Halko, Martinsson,
 * Tropp 2011) over the documents, which are fewer than the terms.
 */
export function* termVectorsOf(sparse: Sparse, k: number): Generator<void, Matrix> {
  const columns = Math.min(k + OVERSAMPLE, sparse.documents.length);
  const first = yield* multiply(sparse, yield* randomMatrix(sparse.terms, columns));
  yield* orthonormalize(first);
  // One power iteration.
  const basis = yield* timesItsTranspose(sparse, first);
  yield* orthonormalize(basis);
  // The eigenvectors of QᵀAAᵀQ turn Q to the left singular vectors; Aᵀ brings those to the terms.
  const gram = yield* productOf(basis, yield* timesItsTranspose(sparse, basis));
  const turned = yield* turn(basis, factorsOf(gram, { columns, k: Math.min(k, columns) }));
  return yield* multiply(sparse, turned, { isTransposed: true });
}

function* timesItsTranspose(sparse: Sparse, q: Matrix): Generator<void, Matrix> {
  return yield* multiply(sparse, yield* multiply(sparse, q, { isTransposed: true }));
}

/** A times a matrix with a row for each term, or Aᵀ times one with a row for each document. */
function* multiply(
  { documents, terms }: Sparse,
  dense: Matrix,
  { isTransposed = false } = {},
): Generator<void, Matrix> {
  const result = createMatrix(isTransposed ? terms : documents.length, dense.columns);
  for (const [document, { columns, weights }] of documents.entries()) {
    for (let at = 0; at < columns.length; at += 1) {
      const term = columns[at] ?? 0;
      const [row, sourceRow] = isTransposed ? [term, document] : [document, term];
      addRow(result, row, { source: dense, sourceRow, factor: weights[at] ?? 0 });
    }
    if (document % ROWS_BETWEEN_PAUSES === 0) yield;
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

/**
 * The strongest eigenvectors as columns, each divided by its singular value: Aᵀ times the left singular vectors is the right
 * ones times S.
 */
function factorsOf(
  symmetric: Float64Array,
  { columns, k }: { columns: number; k: number },
): Matrix {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(
    SquareMatrix.from1DArray(columns, columns, symmetric),
    { assumeSymmetric: true },
  );
  const singular = realEigenvalues.map((value) => Math.sqrt(Math.max(value, 0)));
  const strongest = [...realEigenvalues.keys()]
    .sort((a, b) => (realEigenvalues[b] ?? 0) - (realEigenvalues[a] ?? 0))
    .slice(0, k);
  const floor = Math.max(...singular) * SMALLEST;
  const factors = createMatrix(columns, k);
  strongest.forEach((at, direction) => {
    const value = singular[at] ?? 0;
    const scale = value <= floor ? 0 : value ** -1;
    for (let row = 0; row < columns; row += 1) {
      factors.data[row * k + direction] = eigenvectorMatrix.get(row, at) * scale;
    }
  });
  return factors;
}

function* turn(basis: Matrix, factors: Matrix): Generator<void, Matrix> {
  const { rows, columns } = basis;
  const result = createMatrix(rows, factors.columns);
  for (let row = 0; row < rows; row += 1) {
    for (let i = 0; i < columns; i += 1) {
      const factor = basis.data[row * columns + i] ?? 0;
      addRow(result, row, { source: factors, sourceRow: i, factor });
    }
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
  }
  return result;
}
