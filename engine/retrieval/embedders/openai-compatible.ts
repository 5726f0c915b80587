import * as z from "zod";
import type { Timers } from "../../../shared/clock.ts";
import { readBytes } from "../../../shared/http/json-body.ts";
import { parseJson } from "../../../shared/json.ts";
import { retry } from "../../../shared/retry.ts";
import { quantize } from "../embedder.ts";
import { RetrievalFailure } from "../failures.ts";
import {
  EMBEDDING_ANSWER_BYTES_MAX,
  EMBEDDING_ATTEMPTS_MAX,
  EMBEDDING_INPUT_CHARACTERS_MAX,
  EMBEDDING_TIMEOUT_MS,
} from "../limits.ts";
import { postJson } from "../model-server.ts";

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
  timers: Timers;
}

/** Version of the prefixes of texts; part of the signature of an index. */
export const PREFIX_VERSION = 1;
const BACKOFF_MS = 500;
const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

const Answer = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(1) }),
  ),
});

/** A client of `POST {url}/embeddings`. The key is in no error and no log. */
export function createEmbeddingClient(config: OpenAiCompatible, deps: EmbeddingClientDeps) {
  return {
    /** One vector for each text, in order. @throws RetrievalFailure `unavailable` */
    async embed(
      texts: readonly string[],
      purpose: "document" | "query",
      signal: AbortSignal,
    ): Promise<Int8Array[]> {
      if (texts.length === 0) return [];
      const prefix = prefixOf(config.model, purpose);
      const input = texts.map((text) => prefix + text.slice(0, EMBEDDING_INPUT_CHARACTERS_MAX));
      const send = () => ask(config, deps, { input, signal });
      const vectors = await retry(send, { timers: deps.timers, signal, waitMs });
      return vectors.map(quantize);
    },
  };
}

class EmbeddingFailure extends RetrievalFailure {
  readonly retryable: boolean;

  constructor(reason: string, { retryable }: { retryable: boolean }) {
    super("unavailable", `The embedding server failed: ${reason}`);
    this.retryable = retryable;
  }
}

function waitMs(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof EmbeddingFailure && error.retryable)) return undefined;
  return attempt < EMBEDDING_ATTEMPTS_MAX ? BACKOFF_MS * 2 ** (attempt - 1) : undefined;
}

/** One attempt. @throws EmbeddingFailure */
async function ask(
  config: OpenAiCompatible,
  { fetch }: EmbeddingClientDeps,
  { input, signal }: { input: string[]; signal: AbortSignal },
): Promise<number[][]> {
  let text: string;
  try {
    const response = await postJson(fetch, config, {
      path: "/embeddings",
      body: { model: config.model, input, encoding_format: "float" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(EMBEDDING_TIMEOUT_MS)]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const retryable = RETRIED.has(response.status);
      throw new EmbeddingFailure(`it answered ${response.status}.`, { retryable });
    }
    const bytes = await readBytes(response, EMBEDDING_ANSWER_BYTES_MAX);
    if (!bytes) throw new Error("The answer is too large.");
    text = new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof EmbeddingFailure) throw error;
    throw new EmbeddingFailure("it cannot be reached, or took too long.", { retryable: true });
  }
  const vectors = toVectors(parseJson(text), input.length);
  if (!vectors) throw new EmbeddingFailure("its response is invalid.", { retryable: false });
  return vectors;
}

/** One vector for each text, all of one length; undefined for any other response. */
function toVectors(json: unknown, count: number): number[][] | undefined {
  const parsed = Answer.safeParse(json);
  if (!parsed.success || parsed.data.data.length !== count) return undefined;
  const given = new Map(parsed.data.data.map((one, at) => [one.index ?? at, one.embedding]));
  const vectors = Array.from({ length: count }, (_, at) => given.get(at) ?? []);
  const dimensions = vectors[0]?.length;
  return vectors.every(({ length }) => length > 0 && length === dimensions) ? vectors : undefined;
}

// Some models were trained with a prefix for the purpose of a text.
function prefixOf(model: string, purpose: "document" | "query"): string {
  if (/nomic-embed/i.test(model)) {
    return purpose === "query" ? "search_query: " : "search_document: ";
  }
  if (/(^|[/_-])e5([/_-]|$)/i.test(model)) return purpose === "query" ? "query: " : "passage: ";
  return "";
}
