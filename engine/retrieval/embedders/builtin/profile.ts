import { type EmbeddingRun, embeddedText } from "../../embedder.ts";
import { PROFILE_SAMPLE_MAX } from "../../limits.ts";
import { findProfile, saveProfile } from "../../sidecar/profile-store.ts";
import { countEmbeddable } from "../../sidecar/vector-store.ts";
import { kindOf } from "../../text/kind.ts";
import { STOPWORDS } from "../../text/stopwords.ts";
import { wordsOf } from "../../text/words.ts";
import { findChunkText, findTraining } from "./basis-store.ts";

// The profile of an index whose basis is kept is measured again after this change of its number of chunks.
const DRIFT_MAX = 0.1;

/** Measures an index after its chunks have their vectors, if it was not measured or has changed since. */
export async function updateProfile(
  { sidecar, slices }: Pick<EmbeddingRun, "sidecar" | "slices">,
  ids: readonly number[],
): Promise<void> {
  const sample = Buffer.from(findTraining(sidecar)?.sample ?? []).toString("hex");
  const chunks = countEmbeddable(sidecar);
  const known = findProfile(sidecar);
  const drift = known ? Math.abs(known.chunks - chunks) / Math.max(1, known.chunks) : 1;
  if (known?.sample === sample && drift <= DRIFT_MAX) return;
  const step = Math.max(1, Math.ceil(ids.length / PROFILE_SAMPLE_MAX));
  let [measured, words, code] = [0, 0, 0];
  for (let at = 0; at < ids.length; at += step) {
    const chunk = findChunkText(sidecar, ids[at] ?? 0);
    if (!chunk) continue;
    measured += 1;
    words += countWords(embeddedText(chunk));
    if (kindOf(chunk.path) === "code") code += 1;
    await slices.rest();
  }
  if (measured === 0) return;
  saveProfile(sidecar, { chunks, words: words / measured, code: code / measured, sample });
}

function countWords(text: string): number {
  const different = new Set(wordsOf(text).map((word) => word.toLowerCase()));
  return [...different].filter((word) => word.length > 1 && !STOPWORDS.has(word)).length;
}
