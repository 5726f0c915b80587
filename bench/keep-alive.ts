import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One kept connection that asks and waits, on a bare socket: a client that parses more would measure itself. */
export class KeepAlive implements Disposable {
  readonly #socket: Socket;
  #received = "";
  #arrived: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      this.#received += chunk;
      this.#arrived?.();
    });
  }

  static async open(port: number): Promise<KeepAlive> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new KeepAlive(socket);
  }

  /** The whole answer, head and body. @throws Error where it is no success. */
  async ask(request: string): Promise<string> {
    this.#received = "";
    this.#socket.write(request);
    while (!isComplete(this.#received)) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    if (!this.#received.startsWith("HTTP/1.1 20")) throw new Error(this.#received.slice(0, 400));
    return this.#received;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

function isComplete(text: string): boolean {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  return length === undefined
    ? text.endsWith("0\r\n\r\n")
    : text.length - head - 4 >= Number(length);
}

/** A request as it goes over the wire. */
export function wireRequest(
  method: string,
  path: string,
  { port, headers, body }: { port: number; headers: Record<string, string>; body?: string },
): string {
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    ...headers,
    ...(body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
