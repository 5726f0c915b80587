import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { withoutTrailing } from "../../../shared/without-trailing.ts";
import {
  EMBEDDING_ANSWER_BYTES_MAX,
  EMBEDDING_ATTEMPTS_MAX,
  EMBEDDING_INPUT_CHARACTERS_MAX,
  EMBEDDING_TIMEOUT_MS,
} from "../../limits.ts";
import { quantize } from "../embedder.ts";
import { RetrievalFailure } from "../failures.ts";

/** The address of a model. */
export interface OpenAiCompatible {
  /** The base, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** The dependencies of the client. */
export interface EmbeddingClientDeps {
  fetch: typeof fetch;
  /** Waits before the next attempt; tests do not wait. */
  backoffMs?: number;
}

/** Sends texts to a model. */
export interface EmbeddingClient {
  /**
   * Returns one vector for each text, in order.
   * @throws RetrievalFailure `unavailable`.
   */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal,
  ): Promise<Int8Array[]>;
}

/** Version of the prefixes of texts; part of the signature of an index. */
export const PREFIX_VERSION = 1;
const BACKOFF_MS = 500;
const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

const Answer = z.object({
  data: z.array(z.object({ index: z.number().optional(), embedding: z.array(z.number()).min(1) })),
});

/** A client of `POST {url}/embeddings`. The key is in no error and no log. */
export function createEmbeddingClient(
  config: OpenAiCompatible,
  deps: EmbeddingClientDeps,
): EmbeddingClient {
  return {
    async embed(texts, purpose, signal) {
      if (texts.length === 0) return [];
      const prefix = prefixOf(config.model, purpose);
      const input = texts.map((text) => prefix + text.slice(0, EMBEDDING_INPUT_CHARACTERS_MAX));
      for (let attempt = 1; ; attempt += 1) {
        const answer = await ask(config, deps, { input, signal });
        if (Array.isArray(answer)) return answer.map(quantize);
        signal.throwIfAborted();
        if (!answer.again || attempt === EMBEDDING_ATTEMPTS_MAX) {
          throw new RetrievalFailure(
            "unavailable",
            `The embedding server failed: ${answer.reason}`,
          );
        }
        await delay((deps.backoffMs ?? BACKOFF_MS) * 2 ** (attempt - 1), undefined, { signal });
      }
    },
  };
}

interface Refusal {
  reason: string;
  /** Whether another attempt may help. */
  again: boolean;
}

async function ask(
  { url, model, apiKey }: OpenAiCompatible,
  { fetch }: EmbeddingClientDeps,
  { input, signal }: { input: string[]; signal: AbortSignal },
): Promise<number[][] | Refusal> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${withoutTrailing(url, "/")}/embeddings`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}),
      },
      body: JSON.stringify({ model, input, encoding_format: "float" }),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(EMBEDDING_TIMEOUT_MS)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const reason = `it answered ${response.status}.`;
      return { reason, again: RETRIED.has(response.status) };
    }
    text = await readText(response);
  } catch {
    return { reason: "it cannot be reached, or took too long.", again: true };
  }
  return readVectors(text, input.length);
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > EMBEDDING_ANSWER_BYTES_MAX) throw new Error("The answer is too large.");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function readVectors(text: string, count: number): number[][] | Refusal {
  const malformed = { reason: "its response is invalid.", again: false };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return malformed;
  }
  const parsed = Answer.safeParse(json);
  if (!parsed.success || parsed.data.data.length !== count) return malformed;
  const vectors: (number[] | undefined)[] = Array.from({ length: count }, () => undefined);
  parsed.data.data.forEach(({ index, embedding }, at) => {
    vectors[index ?? at] = embedding;
  });
  const dimensions = vectors[0]?.length;
  const complete = vectors.filter((vector) => vector !== undefined);
  const even = complete.every((vector) => vector.length === dimensions);
  return complete.length === count && vectors.length === count && even ? complete : malformed;
}

// Some models were trained with a prefix for the purpose of a text.
function prefixOf(model: string, purpose: "document" | "query"): string {
  if (/nomic-embed/i.test(model)) {
    return purpose === "query" ? "search_query: " : "search_document: ";
  }
  if (/(^|[/_-])e5([/_-]|$)/i.test(model)) return purpose === "query" ? "query: " : "passage: ";
  return "";
}
