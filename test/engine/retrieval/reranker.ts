import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the server got it. */
export interface Ranking {
  path: string;
  authorization: string | undefined;
  model: string | undefined;
  query: string;
  documents: string[];
  top_n: number;
}

/** A reranking server on loopback that speaks the protocol of llama.cpp, vLLM and Jina. */
export interface RerankServer extends AsyncDisposable {
  url: string;
  asked: Ranking[];
  /** Gives each document its score; by default a later one has a higher one. */
  score: (document: string, at: number) => number;
  /** Answers in place of the server, where it is set. */
  answer: ((asked: Ranking, response: ServerResponse) => void) | undefined;
}

export async function startReranker(): Promise<RerankServer> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { authorization } = request.headers;
    const one: Ranking = { path: request.url ?? "", authorization, ...JSON.parse(body) };
    reranker.asked.push(one);
    if (reranker.answer) return reranker.answer(one, response);
    const results = one.documents.map((document, index) => ({
      index,
      relevance_score: reranker.score(document, index),
    }));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ model: one.model, object: "list", usage: {}, results }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const reranker: RerankServer = {
    url: `http://127.0.0.1:${port}/v1`,
    asked: [],
    score: (_, at) => at,
    answer: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return reranker;
}
