/** Documents by address in the place of the network, and what was asked for. */
export interface KeyServer {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  documents: Map<string, unknown>;
  /** Answers every request where it is set. */
  answer: (() => Promise<Response>) | undefined;
  asked: string[];
}

export function createKeyServer(documents: Record<string, unknown> = {}): KeyServer {
  const server: KeyServer = {
    documents: new Map(Object.entries(documents)),
    answer: undefined,
    asked: [],
    async fetch(url) {
      server.asked.push(url);
      if (server.answer) return server.answer();
      const found = server.documents.get(url);
      return found === undefined ? new Response("{}", { status: 404 }) : Response.json(found);
    },
  };
  return server;
}
