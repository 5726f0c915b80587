import words from "./stopwords.json" with { type: "json" };

/**
 * English function and question words in lower case, which keyword queries and the embedder ignore: most chunks have them, and
 * they do not narrow a query.
 */
export const STOPWORDS: ReadonlySet<string> = new Set(words);
