import * as z from "zod";
import type { Timers } from "../../../shared/clock.ts";
import { readBytes } from "../../../shared/http/json-body.ts";
import { parseJson } from "../../../shared/json.ts";
import type { RerankConfig } from "../../config.ts";
import { withDeadline } from "../../deadline.ts";
import {
  RERANK_ANSWER_BYTES_MAX,
  RERANK_DOCUMENT_CHARACTERS_MAX,
  RERANK_DOCUMENTS_MAX,
  RERANK_MS_MAX,
} from "../limits.ts";
import { postJson } from "../model-server.ts";
import type { Hit } from "../retrieval.ts";
import { REDACTED_SECRET } from "../text/secrets.ts";

/** Orders texts by how well they answer a query. */
export interface Reranker {
  /**
   * The positions of the texts that the server ranked, best first; a server may leave some out.
   * @throws Error with a sentence for the log; the signal's reason.
   */
  order(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>;
}

const Answer = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })).min(1),
});

/**
 * A client of `POST {url}/rerank`, as llama.cpp, vLLM and Jina serve it. Follows no redirect. The key is in no error.
 */
export function createReranker(
  config: RerankConfig,
  { fetch, timers }: { fetch: typeof globalThis.fetch; timers: Timers },
): Reranker {
  return {
    async order(query, texts, signal) {
      const documents = texts
        .slice(0, RERANK_DOCUMENTS_MAX)
        .map((text) => text.slice(0, RERANK_DOCUMENT_CHARACTERS_MAX));
      // JSON leaves a model out that is not configured.
      const body = {
        model: config.model,
        query,
        documents,
        top_n: documents.length,
        return_documents: false,
      };
      const reason = new RerankFailure(`It took more than ${RERANK_MS_MAX / 1_000} s.`);
      using limited = withDeadline(timers, signal, { delayMs: RERANK_MS_MAX, reason });
      try {
        const request = { path: "/rerank", body, signal: limited.signal };
        return await orderOf(await postJson(fetch, config, request), documents.length);
      } catch (error) {
        limited.signal.throwIfAborted();
        if (error instanceof RerankFailure) throw error;
        throw new RerankFailure("It cannot be reached, or redirects.");
      }
    },
  };
}

class RerankFailure extends Error {
  override name = "RerankFailure";
}

async function orderOf(response: Response, count: number): Promise<number[]> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new RerankFailure(`It answered ${response.status}.`);
  }
  const bytes = await readBytes(response, RERANK_ANSWER_BYTES_MAX);
  if (!bytes) throw new RerankFailure("Its response is too large.");
  const parsed = Answer.safeParse(parseJson(new TextDecoder().decode(bytes)));
  const results = parsed.data?.results ?? [];
  const positions = new Set(results.map(({ index }) => index));
  const isSound = positions.size === results.length && results.every(({ index }) => index < count);
  if (!parsed.success || !isSound) throw new RerankFailure("Its response is invalid.");
  // Equal scores keep the order of the search.
  return results
    .toSorted((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
    .map(({ index }) => index);
}

/** A hit, and how many of the quoted phrases it holds. */
export interface Held {
  hit: Hit;
  held: number;
}

/**
 * The hits in the order of a reranker. Places keep their scores, so these still fall. What holds more of the quoted phrases stays in
 * front. Hits with a secret, and those beyond the limit, are not sent and keep their places.
 * @throws as the reranker.
 */
export async function rerank(
  hits: readonly Held[],
  { reranker, query }: { reranker: Reranker; query: string },
  signal: AbortSignal,
): Promise<Held[]> {
  const places = hits
    .flatMap(({ hit }, place) => (isSendable(hit) ? [place] : []))
    .slice(0, RERANK_DOCUMENTS_MAX);
  const sent = places.flatMap((place) => hits[place] ?? []);
  if (sent.length < 2) return [...hits];
  const texts = sent.map(({ hit }) => hit.content);
  const order = await reranker.order(query, texts, signal);
  const listed = new Set(order);
  // Hits that the server left out follow the others in their former order.
  const rest = sent.flatMap((_, at) => (listed.has(at) ? [] : [at]));
  const ranked = [...order, ...rest]
    .flatMap((at) => sent[at] ?? [])
    .toSorted((a, b) => b.held - a.held);
  const result = [...hits];
  places.forEach((place, at) => {
    const [before, after] = [hits[place], ranked[at]];
    if (before && after) {
      result[place] = { ...after, hit: { ...after.hit, score: before.hit.score } };
    }
  });
  return result;
}

function isSendable({ sensitive, content }: Hit): boolean {
  return !sensitive && !content.includes(REDACTED_SECRET);
}
