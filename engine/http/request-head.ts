import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "../../shared/log.ts";
import { invalid } from "../errors.ts";
import { toResponse } from "./errors.ts";
import type { Guard, RequestHead } from "./guard.ts";

/** What the guard checks of a request without a `Request` object: an upgrade, or an invalid one. A header may come twice. */
export function requestHead(incoming: IncomingMessage): RequestHead {
  return {
    host: incoming.headersDistinct.host?.join(", ") ?? null,
    origin: incoming.headersDistinct.origin?.join(", ") ?? null,
    // The host and port of an absolute-form target: `GET http://host/ HTTP/1.1`.
    authority: /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(incoming.url ?? "")?.[1],
  };
}

/** The response to an invalid request: the guard's refusal, if there is one, else 400. */
export function unreadableResponse(incoming: IncomingMessage, guard: Guard, log: Logger): Response {
  const refused = guard.checkHostAndOrigin(requestHead(incoming));
  return toResponse(refused ?? invalid("The request is not valid."), log);
}

/** Answers a connection that does not become a WebSocket, and ends it. */
export async function refuseUpgrade(socket: Duplex, response: Response): Promise<void> {
  socket.on("error", () => {
    // The client may have disconnected.
  });
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...lines,
    `content-length: ${body.length}`,
    "connection: close",
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]));
}
