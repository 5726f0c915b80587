import { bumpGeneration } from "./meta-store.ts";
import { unpackInt4 } from "./quantize-int4.ts";
import { type Sidecar, toBlob } from "./sidecar.ts";

/** The chunks that can have a vector: those of sensitive files cannot. */
export const OPEN_CHUNK =
  "FROM chunk JOIN document ON document.id = document_id WHERE sensitive = 0";

export function countEmbeddable(sidecar: Sidecar, upToId = Number.MAX_SAFE_INTEGER): number {
  const sql = `SELECT count(*) ${OPEN_CHUNK} AND chunk.id <= ?`;
  return sidecar.get<[number]>(sql, [upToId])?.[0] ?? 0;
}

export function listEmbeddableIds(sidecar: Sidecar, only: "all" | "missing"): number[] {
  const missing = only === "missing" ? "AND chunk.id NOT IN (SELECT chunk_id FROM vector)" : "";
  return sidecar
    .all<[number]>(`SELECT chunk.id ${OPEN_CHUNK} ${missing} ORDER BY chunk.id`)
    .map(([id]) => id);
}

/** The vector of any chunk with this hash: a remote embedder is never asked twice for one text. */
export function findEmbedding(sidecar: Sidecar, contentHash: Uint8Array): Int8Array | undefined {
  const row = sidecar.get<[Uint8Array]>(
    "SELECT embedding FROM vector JOIN chunk ON chunk.id = chunk_id WHERE content_hash = ? LIMIT 1",
    [contentHash],
  );
  return row && new Int8Array(Uint8Array.from(row[0]).buffer);
}

/** The bytes of each vector of an index; undefined if it has none. */
export function findVectorBytes(sidecar: Sidecar): number | undefined {
  return sidecar.get<[number]>("SELECT length(embedding) FROM vector LIMIT 1")?.[0];
}

/** Adds vectors. Skips chunks that were deleted meanwhile. */
export function insertVectors(
  sidecar: Sidecar,
  vectors: ReadonlyMap<number, Int8Array | Uint8Array>,
): void {
  sidecar.write(() => {
    insertEach(sidecar, vectors);
    bumpGeneration(sidecar);
  });
}

/** Call it within a write. Skips chunks that were deleted meanwhile. */
export function insertEach(
  sidecar: Sidecar,
  vectors: ReadonlyMap<number, Int8Array | Uint8Array>,
): void {
  for (const [id, embedding] of vectors) {
    sidecar.run(
      "INSERT OR REPLACE INTO vector (chunk_id, embedding) SELECT id, ? FROM chunk WHERE id = ?",
      [toBlob(embedding), id],
    );
  }
}

/** All vectors in one array, with the ids of their chunks in ascending order. */
export function loadVectors(
  sidecar: Sidecar,
  bits: 4 | 8,
): { ids: Float64Array; vectors: Int8Array } {
  const rows = sidecar.all<[number, Uint8Array]>(
    "SELECT chunk_id, embedding FROM vector ORDER BY chunk_id",
  );
  const bytes = rows[0]?.[1].length ?? 0;
  const dimensions = bits === 4 ? 2 * bytes : bytes;
  const ids = new Float64Array(rows.length);
  const vectors = new Int8Array(rows.length * dimensions);
  rows.forEach(([id, embedding], at) => {
    ids[at] = id;
    if (embedding.length !== bytes) return;
    if (bits === 4) unpackInt4(embedding, vectors, at * dimensions);
    else vectors.set(embedding, at * dimensions);
  });
  return { ids, vectors };
}
