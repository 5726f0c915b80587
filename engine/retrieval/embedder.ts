/** A model that turns texts to vectors, elsewhere: the built-in embedder needs none (see `embedders/builtin/`). */
export interface RemoteEmbedder {
  /**
   * One vector for each text, in their order.
   * @throws RetrievalFailure `embedding`.
   */
  embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal,
  ): Promise<Int8Array[]>;
}

/** How the texts of this engine become vectors. */
export interface Embedding {
  /** An index with another signature is foreign: search skips it, a run rebuilds it (Engine §2, retrieval rules 4). */
  signature: string;
  /** Undefined for the built-in one. */
  remote: RemoteEmbedder | undefined;
  /** The share of the vectors in a hybrid score. */
  vectorWeight: number;
}

/** What is embedded of a chunk: its content, with the names that it stands under. */
export function embeddedText(chunk: { title: string; heading: string; content: string }): string {
  const names = [chunk.title, chunk.heading].filter(
    (name) => name !== "" && !chunk.content.includes(name),
  );
  return [...names, chunk.content].join("\n");
}
