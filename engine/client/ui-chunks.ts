import type { UIMessageChunk } from "ai";
import type { ChatEvent } from "./chat.ts";
import type { ToolRecord } from "./ui-messages.ts";

type ToolEvent = Extract<ChatEvent, { type: "tool" }>;

const ENDED = ["completed", "failed", "denied"];

/** The chunks of the AI SDK for the events of a turn. `findRecord` reads what a tool call was given, and gave. */
export class UiChunks {
  readonly #findRecord: (toolCallId: string) => Promise<ToolRecord>;
  readonly #begun = new Set<string>();
  /** The text part that is open; a tool call ends it. */
  #part = 0;
  #isOpen = false;

  constructor(findRecord: (toolCallId: string) => Promise<ToolRecord>) {
    this.#findRecord = findRecord;
  }

  async *of(event: ChatEvent): AsyncGenerator<UIMessageChunk> {
    switch (event.type) {
      case "begin":
        yield { type: "start", messageId: event.turn.uuid };
        yield { type: "start-step" };
        return;
      case "text":
        yield* this.#text(event.delta);
        return;
      case "snapshot":
        // What was shown is not what the engine has.
        yield { type: "reset-step" };
        this.#isOpen = false;
        yield* this.#text(event.text);
        return;
      case "tool":
        yield* this.#tool(event);
        return;
      case "end":
        yield* this.#end(event.turn);
    }
  }

  *#text(delta: string): Generator<UIMessageChunk> {
    if (!this.#isOpen) {
      this.#part += 1;
      this.#isOpen = true;
      yield { type: "text-start", id: String(this.#part) };
    }
    yield { type: "text-delta", id: String(this.#part), delta };
  }

  *#endText(): Generator<UIMessageChunk> {
    if (this.#isOpen) yield { type: "text-end", id: String(this.#part) };
    this.#isOpen = false;
  }

  async *#tool({ toolCallId, toolName, state }: ToolEvent): AsyncGenerator<UIMessageChunk> {
    // The tools of the engine are its own: the page has no schema of them, and does not run them.
    const kind = { dynamic: true, providerExecuted: true };
    yield* this.#endText();
    if (!this.#begun.has(toolCallId)) {
      this.#begun.add(toolCallId);
      yield { type: "tool-input-start", toolCallId, toolName, ...kind };
    }
    if (!ENDED.includes(state)) return;
    const record = await this.#findRecord(toolCallId);
    const input = record.arguments ?? {};
    yield { type: "tool-input-available", toolCallId, toolName, input, ...kind };
    if (state === "completed") {
      yield { type: "tool-output-available", toolCallId, output: record.result ?? null, ...kind };
    } else {
      const errorText =
        state === "denied" ? "The call was denied." : (record.error ?? "The call failed.");
      yield { type: "tool-output-error", toolCallId, errorText, ...kind };
    }
  }

  *#end({ state, error }: Extract<ChatEvent, { type: "end" }>["turn"]): Generator<UIMessageChunk> {
    yield* this.#endText();
    yield { type: "finish-step" };
    if (state === "completed") yield { type: "finish", finishReason: "stop" };
    else if (state === "cancelled") yield { type: "abort" };
    else yield { type: "error", errorText: error ?? "The engine ended before the turn did." };
  }
}
