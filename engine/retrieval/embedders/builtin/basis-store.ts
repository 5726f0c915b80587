import { deflateRawSync, inflateRawSync } from "node:zlib";
import { embeddedText } from "../../embedder.ts";
import { bumpGeneration } from "../../sidecar/meta-store.ts";
import { packInt4, unpackInt4 } from "../../sidecar/quantize-int4.ts";
import { type Sidecar, toBlob } from "../../sidecar/sidecar.ts";
import { insertEach, OPEN_CHUNK } from "../../sidecar/vector-store.ts";
import type { Basis } from "./lsa/basis.ts";

/** The training data of a basis. */
export interface Training {
  /** The digest of the hashes of its chunks. */
  sample: Uint8Array;
  /** The number of chunks, and their last id. */
  chunks: number;
  lastChunkId: number;
}

/** One chunk of each distinct text, sorted by hash: independent of the order of files and edits. */
export function listSample(sidecar: Sidecar, limit: number): { id: number; hash: Uint8Array }[] {
  return sidecar
    .all<[number, Uint8Array]>(
      `SELECT min(chunk.id), content_hash ${OPEN_CHUNK} GROUP BY content_hash ORDER BY content_hash LIMIT ?`,
      [limit],
    )
    .map(([id, hash]) => ({ id, hash }));
}

/** The text of a chunk as it is embedded, and the path of its file. */
export function findChunkText(
  sidecar: Sidecar,
  id: number,
): { path: string; text: string } | undefined {
  const row = sidecar.get<[string, string, string, string]>(
    "SELECT path, title, heading, content FROM chunk JOIN document ON document.id = document_id WHERE chunk.id = ?",
    [id],
  );
  if (!row) return undefined;
  const [path, title, heading, content] = row;
  return { path, text: embeddedText({ title, heading, content }) };
}

/** 0 in an empty index. */
export function getLastChunkId(sidecar: Sidecar): number {
  return sidecar.get<[number | null]>("SELECT max(id) FROM chunk")?.[0] ?? 0;
}

/** Replaces the basis and its vectors in one transaction: no search sees one without the other. */
export function replaceBasis(
  sidecar: Sidecar,
  basis: Basis & Training,
  vectors: ReadonlyMap<number, Uint8Array>,
): void {
  sidecar.write(() => {
    sidecar.run("DELETE FROM vector");
    sidecar.run("DELETE FROM basis");
    sidecar.run(
      "INSERT INTO basis (id, sample, chunks, last_chunk_id, k, terms, idf, vectors, scales, bucket_idf) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        basis.sample,
        basis.chunks,
        basis.lastChunkId,
        basis.k,
        toBlob(basis.terms),
        pack(basis.idf),
        packInt4(basis.vectors),
        toBlob(basis.scales),
        pack(basis.bucketIdf),
      ],
    );
    insertEach(sidecar, vectors);
    bumpGeneration(sidecar);
  });
}

export function findTraining(sidecar: Sidecar): Training | undefined {
  const row = sidecar.get<[Uint8Array, number, number]>(
    "SELECT sample, chunks, last_chunk_id FROM basis",
  );
  return row && { sample: row[0], chunks: row[1], lastChunkId: row[2] };
}

export function findBasis(sidecar: Sidecar): Basis | undefined {
  const row = sidecar.get<[number, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array]>(
    "SELECT k, terms, idf, vectors, scales, bucket_idf FROM basis",
  );
  if (!row) return undefined;
  const [k, terms, idf, vectors, scales, bucketIdf] = row;
  return {
    k,
    terms: new Float64Array(bytesOf(terms)),
    idf: unpack(idf),
    vectors: unpackVectors(vectors),
    scales: new Float32Array(bytesOf(scales)),
    bucketIdf: unpack(bucketIdf),
  };
}

// A copy: a view into a larger buffer may be unaligned.
function bytesOf(blob: Uint8Array): ArrayBuffer {
  return Uint8Array.from(blob).buffer;
}

// Rarities follow from counts, so that few of them differ.
function pack(values: Float32Array): Uint8Array {
  return deflateRawSync(toBlob(values));
}

function unpack(packed: Uint8Array): Float32Array {
  return new Float32Array(bytesOf(inflateRawSync(packed)));
}

function unpackVectors(packed: Uint8Array): Int8Array {
  const vectors = new Int8Array(2 * packed.length);
  unpackInt4(packed, vectors);
  return vectors;
}
