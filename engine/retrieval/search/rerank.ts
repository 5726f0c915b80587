import { RERANK_DOCUMENTS_MAX } from "../limits.ts";
import type { Reranker } from "../reranker.ts";
import type { Hit } from "../retrieval.ts";
import { REDACTED_SECRET } from "../text/secrets.ts";

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
