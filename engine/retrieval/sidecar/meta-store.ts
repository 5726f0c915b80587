import type { Sidecar } from "./sidecar.ts";

type MetaKey =
  /** Embedder, model, dimensions, chunker and tokenizer: an index with another one is foreign. */
  | "signature"
  /** The version of Unicode, which defines letters: a full text row can only be deleted under the same version. */
  | "unicode"
  /** Changes with the vectors, so that a copy in memory can detect that it is stale. */
  | "generation"
  /** The basis of the weights of a hybrid score: see `IndexProfile`. */
  | "profile"
  /** The device of the root at the last run. */
  | "device"
  /** When the last complete run ended, as ISO 8601. */
  | "indexed_at"
  /** `1` while a segment of the full text table may still have deleted words. */
  | "purge_pending";

export function findMeta(sidecar: Sidecar, key: MetaKey): string | undefined {
  return sidecar.get<[string]>("SELECT value FROM meta WHERE key = ?", [key])?.[0];
}

export function upsertMeta(sidecar: Sidecar, key: MetaKey, value: string): void {
  sidecar.run(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [key, value],
  );
}

/** Random, not counted: a rebuilt index must differ from the one before. */
export function bumpGeneration(sidecar: Sidecar): void {
  upsertMeta(sidecar, "generation", crypto.randomUUID());
}

export function countAll(sidecar: Sidecar): { documents: number; chunks: number } {
  const [documents = 0, chunks = 0] =
    sidecar.get<[number, number]>(
      "SELECT (SELECT count(*) FROM document), (SELECT count(*) FROM chunk)",
    ) ?? [];
  return { documents, chunks };
}

/** Merges the full text into one segment and frees pages, so that the file has no deleted text. */
export function purge(sidecar: Sidecar): void {
  if (findMeta(sidecar, "purge_pending") !== "1") return;
  sidecar.write(() => {
    sidecar.run("INSERT INTO chunk_fts (chunk_fts) VALUES ('optimize')");
    upsertMeta(sidecar, "purge_pending", "0");
  });
  sidecar.all("PRAGMA incremental_vacuum");
}

/** The measures of an index from which the weights of a hybrid score follow. */
export interface IndexProfile {
  /** Chunks with a vector. */
  chunks: number;
  /** Different words of a chunk without stop words, on average. */
  words: number;
  /** The share of chunks of source code, from 0 to 1. */
  code: number;
  /** The digest of the sample that was measured. */
  sample: string;
}

/** Undefined in an index of an older engine, until the next run. */
export function findProfile(sidecar: Sidecar): IndexProfile | undefined {
  const stored = findMeta(sidecar, "profile");
  // Only `saveProfile` writes this key.
  return stored === undefined ? undefined : (JSON.parse(stored) as IndexProfile);
}

export function saveProfile(sidecar: Sidecar, profile: IndexProfile): void {
  sidecar.write(() => {
    upsertMeta(sidecar, "profile", JSON.stringify(profile));
    // Search keeps the profile beside the vectors.
    bumpGeneration(sidecar);
  });
}
