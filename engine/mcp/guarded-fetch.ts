import { ByteSlices } from "../http/byte-slices.ts";
import {
  MCP_EVENT_LINES_MAX,
  MCP_REDIRECTS_MAX,
  MCP_RESPONSE_BYTES_MAX,
  MCP_SLICE_BYTES,
  MCP_STREAMS_MAX,
} from "./limits.ts";

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
 * `fetch` for one session with a server: sends the sealed headers to the origin of `endpoint` alone, follows redirects to the
 * same host alone, and ends a response after 4 MiB, or a stream after 40,000 lines. `onFault` hears of that: the reader of a
 * stream of events would only connect again.
 */
export function guardedFetch(
  fetch: Fetch,
  { endpoint, headers: secretHeaders }: Endpoint,
  onFault: (fault: ServerFault) => void,
): Fetch {
  let streams = 0;
  return async (input, init) => {
    if (init?.method === "GET") {
      streams += 1;
      // The SDK opens a stream that ended anew, as soon as the server says.
      if (streams > MCP_STREAMS_MAX) return new Response(null, { status: 405 });
    }
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
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const slices = new ByteSlices(MCP_SLICE_BYTES);
  let bytes = 0;
  let lines = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      for await (const slice of slices.of(chunk)) {
        bytes += slice.length;
        if (isStream) lines += countLines(slice);
        if (bytes > MCP_RESPONSE_BYTES_MAX || lines > MCP_EVENT_LINES_MAX) {
          const fault = lines > MCP_EVENT_LINES_MAX ? tooMany() : tooLarge();
          controller.error(fault);
          return onFault(fault);
        }
        controller.enqueue(slice);
      }
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_FEED || byte === CARRIAGE_RETURN) lines += 1;
  return lines;
}

function tooLarge(): ServerFault {
  return new ServerFault(
    `The server sent more than ${MCP_RESPONSE_BYTES_MAX / 1024 / 1024} MiB at once.`,
  );
}

function tooMany(): ServerFault {
  return new ServerFault(`The server sent more than ${MCP_EVENT_LINES_MAX} lines of events.`);
}
