import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Requests that several connections send again and again, each waiting for its answer. */
export interface Load {
  port: number;
  /** The whole request, as bytes. */
  request: Buffer;
  connections: number;
  requests: number;
}

/** The request as it goes over the wire. */
export function requestBytes(
  method: string,
  path: string,
  { port, token, body = "" }: { port: number; token: string; body?: string },
): Buffer {
  const head = [
    `${method} /api/v1${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    ...(body
      ? ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]
      : []),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Requests a second. A client on bare sockets: one that parses more would measure itself. */
export async function requestsPerSecond(load: Load): Promise<number> {
  const sockets = await openSockets(load.port, load.connections);
  const startedAt = performance.now();
  let left = load.requests;
  await Promise.all(
    sockets.map((socket) => {
      return new Promise<void>((resolve) => {
        const send = () => {
          left -= 1;
          if (left < 0) resolve();
          else socket.write(load.request);
        };
        onAnswers(socket, send);
        send();
      });
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket.destroy();
  return load.requests / seconds;
}

/** The time of each of `count` requests, one after the other, in milliseconds. */
export async function latencies(load: Omit<Load, "connections">): Promise<number[]> {
  const [socket] = await openSockets(load.port, 1);
  const times: number[] = [];
  if (!socket) return times;
  let sentAt = 0;
  await new Promise<void>((resolve) => {
    const send = () => {
      sentAt = performance.now();
      socket.write(load.request);
    };
    onAnswers(socket, () => {
      times.push(performance.now() - sentAt);
      if (times.length === load.requests) resolve();
      else send();
    });
    send();
  });
  socket.destroy();
  return times;
}

async function openSockets(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1").setNoDelay());
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

const CHUNKED_END = "\r\n0\r\n\r\n";

function onAnswers(socket: Socket, answered: () => void): void {
  let left = 0;
  /** The end of the bytes of a chunked response; undefined while none arrives. */
  let streamed: string | undefined;
  socket.on("data", (chunk) => {
    let at = 0;
    if (streamed !== undefined) {
      streamed = (streamed + chunk.toString("latin1", Math.max(0, chunk.length - 16))).slice(-16);
      if (!streamed.endsWith(CHUNKED_END)) return;
      streamed = undefined;
      return answered();
    }
    while (at < chunk.length) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        left -= taken;
        at += taken;
      } else {
        const end = chunk.indexOf("\r\n\r\n", at);
        const head = chunk.toString("latin1", at, end);
        if (!head.startsWith("HTTP/1.1 200")) throw new Error(head);
        if (/transfer-encoding: chunked/i.test(head)) {
          const rest = chunk.toString("latin1", end + 2);
          if (rest.endsWith(CHUNKED_END)) return answered();
          streamed = rest.slice(-16);
          return;
        }
        left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        at = end + 4;
      }
      if (left === 0) answered();
    }
  });
}
