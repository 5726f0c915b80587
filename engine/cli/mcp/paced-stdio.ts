import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { UserFacingError } from "../../../shared/failure.ts";
import { MIB } from "../../../shared/units.ts";
import { MCP_INPUT_BYTES_MAX, MCP_UNANSWERED_MAX, MCP_UNREADABLE_MAX } from "../limits.ts";

/**
 * Standard input and output of a client that may be broken. It is not read on while too many of its requests have no
 * answer, or do not read their answers; a line without end, or too many that are no messages, end the session.
 */
export class PacedStdio extends StdioServerTransport {
  readonly #input: Readable;
  readonly #ended = Promise.withResolvers<void>();
  /** The ids of requests without an answer; a broken client may give one twice. */
  readonly #unanswered: unknown[] = [];
  #unreadableCount = 0;

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize: MCP_INPUT_BYTES_MAX });
    this.#input = input;
  }

  /** Resolves when either side has closed. @throws UserFacingError if the client cannot be served. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  override async start(): Promise<void> {
    const { onmessage, onerror } = this;
    this.onmessage = (message) => {
      this.#begin(message);
      onmessage?.(message);
    };
    this.onerror = (error) => {
      this.#judge(error);
      onerror?.(error);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (!("method" in message)) this.#settle(message.id);
    }
  }

  override async close(): Promise<void> {
    this.#unanswered.length = 0;
    await super.close();
    this.#ended.resolve();
  }

  #begin(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "notifications/cancelled") this.#settle(message.params?.requestId);
    // A subscription has its answer when it ends; the SDK bounds their number.
    if (!("id" in message) || message.method === "subscriptions/listen") return;
    this.#unanswered.push(message.id);
    if (this.#unanswered.length >= MCP_UNANSWERED_MAX) this.#input.pause();
  }

  #settle(id: unknown): void {
    const at = this.#unanswered.indexOf(id);
    if (at === -1) return;
    this.#unanswered.splice(at, 1);
    if (this.#unanswered.length === MCP_UNANSWERED_MAX - 1) this.#input.resume();
  }

  #judge(error: Error): void {
    // The SDK has no class for it, and closes.
    if (error.message.startsWith("ReadBuffer exceeded")) {
      this.#fail(`The client wrote a line of more than ${MCP_INPUT_BYTES_MAX / MIB} MiB.`);
    }
    this.#unreadableCount += 1;
    if (this.#unreadableCount < MCP_UNREADABLE_MAX) return;
    this.#fail(`The client wrote ${MCP_UNREADABLE_MAX} lines that are not messages.`);
    void this.close();
  }

  #fail(sentence: string): void {
    this.#ended.reject(new UserFacingError(sentence));
  }
}
