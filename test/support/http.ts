import assert from "node:assert/strict";
import type { EventEmitter } from "node:events";
import { connect } from "node:net";

/** The JSON body of an answer that must have this status. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
export async function json(response: Response, status = 200): Promise<any> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text);
}

/** Holds an answer to a status and an empty body. */
export async function empty(response: Response, status = 204): Promise<void> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.equal(text, "");
}

/** The path of the next page, without the prefix of the API; undefined on the last page. */
export function nextPath(response: Response): string | undefined {
  const link = response.headers.get("link");
  if (link === null) return undefined;
  const [, target] = /^<([^>]*)>; rel="next"$/.exec(link) ?? [];
  assert.ok(target, link);
  const { pathname, search } = new URL(target);
  return pathname.replace("/api/v1", "") + search;
}

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/**
 * Sends exactly these bytes on a connection of its own and reads until the server ends it, or the whole answer is there.
 * For what `fetch` would never send: no Host, two of them, an absolute-form target.
 */
export async function sendRaw(port: number, request: string | Buffer): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    if (isWhole(Buffer.concat(chunks).toString("latin1"))) socket.destroy();
  });
  socket.write(request);
  await closeOf(socket);
  return parse(Buffer.concat(chunks).toString("utf8"));
}

/** Resolves once a connection has ended, also by an error: with that, `once` of node:events rejects. */
export async function closeOf(connection: EventEmitter): Promise<void> {
  connection.on("error", () => {});
  await new Promise((resolve) => connection.once("close", resolve));
}

/** A GET of `path` with these headers, each `Name: value`. */
export function rawGet(path: string, headers: string[]): string {
  return `${[`GET ${path} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n`;
}

function isWhole(text: string): boolean {
  const [head, ...rest] = text.split("\r\n\r\n");
  if (rest.length === 0 || head === undefined) return false;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length !== undefined && rest.join("\r\n\r\n").length >= Number(length);
}

function parse(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
    }),
  );
  return { status: Number(statusLine.split(" ")[1] ?? 0), headers, body: text.slice(end + 4) };
}
