import { batch, signal } from "@preact/signals";
import { type Approval, type ChatEvent, EngineError, type Turn } from "../../../client/client.ts";
import { createEngine } from "../session.ts";
import type { ToolCall } from "./tool-call.ts";

/** A retry that the turn waits for. */
type Retry = Extract<ChatEvent, { type: "retry" }>;

/** A turn that runs, as its events tell it. Text is shown once a frame, however many pieces of it come. */
export class LiveTurn {
  readonly turn: Turn;
  readonly text = signal("");
  readonly thinking = signal("");
  readonly calls = signal<readonly ToolCall[]>([]);
  readonly approvals = signal<readonly Approval[]>([]);
  readonly retry = signal<Retry | undefined>(undefined);
  /** Its own: the disposal of it leaves the turn without ending it. */
  readonly #client = createEngine();
  #text = "";
  #thinking = "";
  #frame: number | undefined;

  constructor(turn: Turn) {
    this.turn = turn;
  }

  /** Follows it to its end. @throws EngineError if it cannot be followed. */
  async follow(onProgress: () => void): Promise<Turn> {
    for await (const event of this.#client.follow(this.turn.uuid)) {
      if (event.type === "end") {
        this.#showText();
        return event.turn;
      }
      batch(() => this.#take(event));
      if (event.type === "tool") onProgress();
    }
    throw new EngineError("The event stream of the turn ended early.", { status: 0 });
  }

  /** Stops following it. The turn runs on. */
  leave(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    void this.#client[Symbol.asyncDispose]();
  }

  #take(event: ChatEvent): void {
    switch (event.type) {
      case "text":
        this.#setText(this.#text + event.delta);
        break;
      case "reasoning":
        this.#thinking += event.delta;
        this.#showSoon();
        break;
      case "snapshot":
        this.#setText(event.text);
        break;
      case "tool":
        this.#takeCall(event);
        break;
      case "approval":
        // Over HTTP an approval has all its fields.
        this.#takeApproval(event as Approval);
        break;
      case "retry":
        this.retry.value = event;
    }
  }

  #takeApproval(approval: Approval): void {
    const others = this.approvals.value.filter(({ uuid }) => uuid !== approval.uuid);
    this.approvals.value = approval.state === "waiting" ? [...others, approval] : others;
  }

  #setText(text: string): void {
    this.#text = text;
    this.retry.value = undefined;
    this.#showSoon();
  }

  #showSoon(): void {
    this.#frame ??= requestAnimationFrame(() => this.#showText());
  }

  #showText(): void {
    this.#frame = undefined;
    this.text.value = this.#text;
    this.thinking.value = this.#thinking;
  }

  #takeCall({ type, ...call }: Extract<ChatEvent, { type: "tool" }>): void {
    const known = this.calls.value.some(({ toolCallId }) => toolCallId === call.toolCallId);
    this.retry.value = undefined;
    this.calls.value = known
      ? this.calls.value.map((it) => (it.toolCallId === call.toolCallId ? { ...it, ...call } : it))
      : [...this.calls.value, call];
  }
}
