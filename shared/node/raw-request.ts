import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** A header as in `Headers`: values are joined with a comma. Node's own object keeps the first alone. */
export function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | null {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1];
    if (rawHeaders[at]?.toLowerCase() === name && value !== undefined) values.push(value);
  }
  return values.length > 0 ? values.join(", ") : null;
}

/** The host and port of an absolute-form request target (`GET http://host/ HTTP/1.1`), else undefined. */
export function targetAuthority({ url }: IncomingMessage): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url ?? "")?.[1];
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
