import { bumpGeneration, findMeta, upsertMeta } from "./meta-store.ts";
import type { Sidecar } from "./sidecar.ts";

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
