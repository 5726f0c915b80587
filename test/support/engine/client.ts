import { createClient, type EngineClient } from "../../../engine/client/client.ts";
import { TEST_HEADERS, TEST_TOKEN, type TestEngine } from "./engine.ts";

/** A request that a client sent, as it arrived. */
export interface SentRequest {
  method: string;
  path: string;
  body: unknown;
}

/** A client whose requests go to an engine in this process, and what it sent. `damage` changes what it receives. */
export function createTestClient(
  test: TestEngine,
  damage: (response: Response, path: string) => Response = (response) => response,
): { client: EngineClient; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1",
    token: TEST_TOKEN,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.headers.set("host", TEST_HEADERS.Host);
      const { pathname, search } = new URL(request.url);
      const text = await request.clone().text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      sent.push({ method: request.method, path: `${pathname}${search}`, body });
      return damage(await test.engine.fetch(request), pathname);
    },
  });
  return { client, sent };
}

/** A client of a server that answers every request with this. */
export function createAnsweredClient(answer: (request: Request) => Response | Promise<Response>) {
  return createClient({
    baseUrl: "http://127.0.0.1:7717",
    token: "t",
    fetch: async (input, init) => answer(new Request(input, init)),
  });
}
