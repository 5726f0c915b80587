import { EMBEDDING_BATCH_MAX } from "../../limits.ts";
import { embeddedText } from "../embedder.ts";
import type { NewChunk, NewDocument } from "../sidecar/document-store.ts";
import { findEmbedding } from "../sidecar/vector-store.ts";
import { REDACTED_SECRET } from "../text/secrets.ts";
import type { IndexRun } from "./index-run.ts";

/**
 * Documents with the vectors of a remote embedder. Texts whose vector is known are not sent again; a chunk that a secret was
 * taken out of is never sent. Where the embedder is the built-in one, they come back as they are.
 * @throws RetrievalFailure `embedding`: then nothing of these documents is stored.
 */
export async function embedRemotely(
  run: IndexRun,
  documents: readonly NewDocument[],
): Promise<readonly NewDocument[]> {
  const { remote } = run.embedding;
  if (!remote) return documents;
  const texts = new Map<string, string>();
  const vectors = new Map<string, Int8Array>();
  for (const { title, sensitive, chunks } of documents) {
    for (const chunk of sensitive ? [] : chunks) {
      const key = keyOf(chunk);
      if (texts.has(key) || vectors.has(key) || chunk.content.includes(REDACTED_SECRET)) continue;
      const known = findEmbedding(run.sidecar, chunk.contentHash);
      if (known) vectors.set(key, known);
      else texts.set(key, embeddedText({ title, ...chunk }));
    }
  }
  const waiting = [...texts];
  for (let at = 0; at < waiting.length; at += EMBEDDING_BATCH_MAX) {
    const some = waiting.slice(at, at + EMBEDDING_BATCH_MAX);
    run.report({ phase: "embedding", done: at, total: waiting.length });
    const answers = await remote.embed(
      some.map(([, text]) => text),
      "document",
      run.signal,
    );
    some.forEach(([key], i) => {
      const vector = answers[i];
      if (vector) vectors.set(key, vector);
    });
  }
  return documents.map((document) => ({
    ...document,
    chunks: document.chunks.map((chunk) =>
      document.sensitive ? chunk : { ...chunk, embedding: vectors.get(keyOf(chunk)) },
    ),
  }));
}

function keyOf({ contentHash }: NewChunk): string {
  return Buffer.from(contentHash).toString("base64");
}
