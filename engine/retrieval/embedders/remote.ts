import {
  type Embedder,
  type EmbeddingRun,
  embeddedText,
  type Shares,
  textSignature,
} from "../embedder.ts";
import { otherVectors } from "../failures.ts";
import { EMBEDDING_BATCH_MAX } from "../limits.ts";
import type { NewChunk, NewDocument } from "../sidecar/document-store.ts";
import { findEmbedding, findVectorBytes } from "../sidecar/vector-store.ts";
import { REDACTED_SECRET } from "../text/secrets.ts";
import {
  createEmbeddingClient,
  type EmbeddingClientDeps,
  type OpenAiCompatible,
  PREFIX_VERSION,
} from "./openai-compatible.ts";

// A fixed share: a server's model has learned from more than the texts of a root.
const SHARES: Shares = { parts: [0.55], feedback: 0 };

/** An embedder that requests every vector from a server. The API key is in no signature, error or log. */
export function createRemoteEmbedder(
  config: OpenAiCompatible,
  deps: EmbeddingClientDeps,
): Embedder {
  const client = createEmbeddingClient(config, deps);
  const place = `openai-compat;${new URL(config.url).host};${config.model}`;
  return {
    signature: `${place};prefix=${PREFIX_VERSION};${textSignature()}`,
    parts: [{ from: 0 }],
    bits: 8,
    sharesOf: () => SHARES,
    embedDocuments: (run, documents) => embedDocuments(client, run, documents),
    finish: async () => {},
    loadModel: () => undefined,
    async embedQuery(query, signal) {
      const [vector] = await client.embed([query], "query", signal);
      return () => vector;
    },
  };
}

// Does not send a text that has a stored vector, nor a chunk with a redacted secret.
async function embedDocuments(
  client: ReturnType<typeof createEmbeddingClient>,
  run: EmbeddingRun,
  documents: readonly NewDocument[],
): Promise<readonly NewDocument[]> {
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
  // One byte for each number.
  let indexed = findVectorBytes(run.sidecar);
  for (let at = 0; at < waiting.length; at += EMBEDDING_BATCH_MAX) {
    run.report({ phase: "embedding", done: at, total: waiting.length });
    const batch = waiting.slice(at, at + EMBEDDING_BATCH_MAX);
    const input = batch.map(([, text]) => text);
    const answers = await client.embed(input, "document", run.signal);
    batch.forEach(([key], i) => {
      const vector = answers[i];
      if (!vector) return;
      indexed ??= vector.length;
      if (vector.length !== indexed) throw otherVectors({ indexed, given: vector.length });
      vectors.set(key, vector);
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
