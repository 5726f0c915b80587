import { MCP_REDIRECTS_MAX, MCP_RESPONSE_BYTES_MAX } from "./limits.ts";

type Fetch = typeof globalThis.fetch;

/** What a server did that the engine does not accept. The message is for people. */
export class ServerFault extends Error {
  override name = "ServerFault";
}

// Followed with method and body as they were. A 303 would make a GET of a call.
interface Endpoint {
  endpoint: URL;
  headers: Readonly<Record<string, string>>;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * `fetch` for one server: sends the sealed headers to the origin of `endpoint` alone, follows redirects to the same host
 * alone, and ends a response after 4 MiB. `onFault` hears of that: the reader of a stream of events would only connect again.
 */
export function guardedFetch(
  fetch: Fetch,
  { endpoint, headers: secretHeaders }: Endpoint,
  onFault: (fault: ServerFault) => void,
): Fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let redirects = 0; redirects <= MCP_REDIRECTS_MAX; redirects += 1) {
      const headers = new Headers(init?.headers);
      if (url.origin === endpoint.origin) {
        for (const [name, value] of Object.entries(secretHeaders)) headers.set(name, value);
      }
      const response = await fetch(url, { ...init, headers, redirect: "manual" });
      const location = response.headers.get("location");
      if (!REDIRECTS.has(response.status) || location === null) return bounded(response, onFault);
      await response.body?.cancel();
      url = nextHop(url, location, endpoint);
    }
    throw new ServerFault("The server redirects too often.");
  };
}

function nextHop(from: URL, location: string, endpoint: URL): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (!to || to.hostname !== endpoint.hostname || !/^https?:$/.test(to.protocol)) {
    throw new ServerFault("The server redirects to another host, which is not followed.");
  }
  if (from.protocol === "https:" && to.protocol !== "https:") {
    throw new ServerFault("The server redirects from HTTPS to HTTP, which is not followed.");
  }
  return to;
}

function bounded(response: Response, onFault: (fault: ServerFault) => void): Response {
  if (!response.body) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= MCP_RESPONSE_BYTES_MAX) return controller.enqueue(chunk);
      const fault = tooLarge();
      controller.error(fault);
      onFault(fault);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}

function tooLarge(): ServerFault {
  return new ServerFault(
    `The server sent more than ${MCP_RESPONSE_BYTES_MAX / 1024 / 1024} MiB at once.`,
  );
}
