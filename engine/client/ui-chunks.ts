import type { UIMessageChunk } from "ai";
import type { ChatEvent } from "./chat.ts";
import type { ToolRecord } from "./ui-messages.ts";

type ToolEvent = Extract<ChatEvent, { type: "tool" }>;

const ENDED = ["completed", "failed", "denied"];

/** The chunks of the AI SDK for the events of a turn. `findRecord` reads what a tool call was given, and gave. */
export class UiChunks {
  readonly #findRecord: (toolCallId: string) => Promise<ToolRecord>;
  readonly #begun = new Set<string>();
  /** The part that is open; a tool call ends it, and a part of the other kind. */
  #open: "text" | "reasoning" | undefined;
  #part = 0;

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
      case "reasoning":
        yield* this.#say(event.type, event.delta);
        return;
      case "snapshot":
        // What was shown is not what the engine has.
        yield { type: "reset-step" };
        this.#open = undefined;
        yield* this.#say("text", event.text);
        return;
      case "tool":
        yield* this.#tool(event);
        return;
      case "end":
        yield* this.#end(event.turn);
    }
  }

  *#say(kind: "text" | "reasoning", delta: string): Generator<UIMessageChunk> {
    if (this.#open !== kind) {
      yield* this.#endPart();
      this.#part += 1;
      this.#open = kind;
      yield { type: `${kind}-start`, id: String(this.#part) };
    }
    yield { type: `${kind}-delta`, id: String(this.#part), delta };
  }

  *#endPart(): Generator<UIMessageChunk> {
    if (this.#open) yield { type: `${this.#open}-end`, id: String(this.#part) };
    this.#open = undefined;
  }

  async *#tool({ toolCallId, toolName, state }: ToolEvent): AsyncGenerator<UIMessageChunk> {
    // The tools of the engine are its own: the page has no schema of them, and does not run them.
    const kind = { dynamic: true, providerExecuted: true };
    yield* this.#endPart();
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
    yield* this.#endPart();
    yield { type: "finish-step" };
    if (state === "completed") yield { type: "finish", finishReason: "stop" };
    else if (state === "cancelled") yield { type: "abort" };
    else yield { type: "error", errorText: error ?? "The engine ended before the turn did." };
  }
}
