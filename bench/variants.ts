import { STOPWORDS } from "../engine/retrieval/text/stopwords.ts";
import type { Collection } from "./collections.ts";

type Document = Collection["documents"][number];

const SEED = 7;
const SHORT_WORDS = 40;

/** Texts of a collection made shorter, and half of them: a search with other texts than the weights were chosen for. */
const TEXTS: Record<string, (document: Document) => Document> = {
  titles: (document) =>
    document.title === ""
      ? { ...document, text: document.text.split("\n")[0] ?? "" }
      : { ...document, title: "", text: document.title },
  "first sentences": (document) => ({ ...document, title: "", text: firstSentence(document.text) }),
  "40 words": (document) => ({
    ...document,
    text: document.text
      .split(/(?<=\s)/)
      .slice(0, SHORT_WORDS)
      .join(""),
  }),
};

/** The shortened versions of a collection, and a random half of it. */
export function variantsOf(collection: Collection): Collection[] {
  const texts = Object.entries(TEXTS).map(([name, shorten]) => ({
    ...collection,
    name: `${collection.name}, ${name}`,
    documents: collection.documents
      .map((document) => shorten(document))
      .filter(({ title, text }) => (title + text).trim() !== ""),
  }));
  return [...texts, halfOf(collection)];
}

/** The queries, each cut to its first words that are no stop words. */
export function withShortQueries(collection: Collection, count: number): Collection {
  const queries = collection.queries.map(({ id, text }) => {
    const words = text.split(/\s+/).filter((word) => !STOPWORDS.has(word.toLowerCase()));
    return { id, text: words.slice(0, count).join(" ") || text };
  });
  return { ...collection, queries };
}

function halfOf(collection: Collection): Collection {
  const next = createRandom(SEED);
  const documents = collection.documents.filter(() => next() < 0.5);
  return judgedBy({ ...collection, name: `${collection.name}, half` }, documents);
}

// A query without an answer among the documents is left out.
function judgedBy(collection: Collection, documents: Document[]): Collection {
  const ids = new Set(documents.map(({ id }) => id));
  const judgments = new Map(
    [...collection.judgments].map(([query, judged]) => [
      query,
      new Map([...judged].filter(([id]) => ids.has(id))),
    ]),
  );
  const queries = collection.queries.filter(({ id }) =>
    [...(judgments.get(id)?.values() ?? [])].some((score) => score > 0),
  );
  return { ...collection, documents, judgments, queries };
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text.trim().slice(0, 2_000))?.[0] ?? text.split("\n")[0] ?? "";
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
