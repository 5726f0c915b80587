import { Agent, type IncomingMessage, request } from "node:http";
import type { RuntimeInfo } from "../../../engine/runtime/runtime-file.ts";
import type { RawAnswer } from "../http/raw-http.ts";
import { WATCHDOG_MS } from "../until.ts";
import type { FuzzRequest } from "./document-requests.ts";

/** Sends what `fetch` would normalize, over connections that are kept. */
export class FuzzClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #runtime: RuntimeInfo;

  constructor(runtime: RuntimeInfo) {
    this.#runtime = runtime;
  }

  /** The answer; of an event stream the head alone. @throws where none comes before the watchdog. */
  async send(asked: FuzzRequest): Promise<RawAnswer> {
    try {
      return await this.#send(asked, this.#agent);
    } catch (error) {
      // A server may close a kept connection in the moment in which it is used again.
      if (!(error instanceof ReusedConnectionError)) throw error;
      return this.#send(asked, false);
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #send({ method, target, headers, body }: FuzzRequest, agent: Agent | false): Promise<RawAnswer> {
    const { host, port, token } = this.#runtime;
    return new Promise((resolve, reject) => {
      const sent = request({
        host,
        port,
        agent,
        method,
        path: target,
        headers: { ...headers, ...framing(body), authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(WATCHDOG_MS),
      });
      sent.on("response", (response) => readAnswer(response).then(resolve, reject));
      sent.on("error", (error: NodeJS.ErrnoException) => {
        const isLost = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        reject(isLost ? new ReusedConnectionError(error) : error);
      });
      sent.end(body);
    });
  }
}

/** Without a length, Node would send the body of a GET as the beginning of another request. */
function framing(body: FuzzRequest["body"]): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

class ReusedConnectionError extends Error {
  override name = "ReusedConnectionError";
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

async function readAnswer(response: IncomingMessage): Promise<RawAnswer> {
  const headers = new Map(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  const status = response.statusCode ?? 0;
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    response.destroy();
    return { status, headers, body: "" };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status, headers, body: Buffer.concat(chunks).toString("utf8") };
}
