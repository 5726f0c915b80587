import { signal } from "@preact/signals";
import { type Approval, type ChatEvent, EngineError, type Turn } from "../../../client/client.ts";
import { createEngine } from "../session.ts";
import type { ToolCall, ToolEvent } from "./tool-call.ts";

/** What the events of a turn told so far. */
interface Progress {
  text: string;
  thinking: string;
  calls: readonly ToolCall[];
  /** Those that wait. */
  approvals: readonly Approval[];
  /** A retry that it waits for. */
  retry: Extract<ChatEvent, { type: "retry" }> | undefined;
}

const NONE: Progress = { text: "", thinking: "", calls: [], approvals: [], retry: undefined };

/** A turn that runs, as its events tell it. They are shown once a frame, however many of them come. */
export class LiveTurn {
  readonly turn: Turn;
  readonly progress = signal(NONE);
  /** Its own: the disposal of it leaves the turn without ending it. */
  readonly #client = createEngine();

  constructor(turn: Turn) {
    this.turn = turn;
  }

  /** Follows it to its end. @throws EngineError if it cannot be followed. */
  async follow(): Promise<void> {
    let progress = NONE;
    let isShownSoon = false;
    const show = () => {
      isShownSoon = false;
      this.progress.value = progress;
    };
    for await (const event of this.#client.follow(this.turn.uuid)) {
      if (event.type === "end") return show();
      progress = withEvent(progress, event);
      if (!isShownSoon) requestAnimationFrame(show);
      isShownSoon = true;
    }
    throw new EngineError("The event stream of the turn ended early.", { status: 0 });
  }

  /** Stops following it. The turn runs on. */
  leave(): void {
    void this.#client[Symbol.asyncDispose]();
  }
}

function withEvent(before: Progress, event: ChatEvent): Progress {
  switch (event.type) {
    case "text":
      return { ...before, text: before.text + event.delta, retry: undefined };
    case "snapshot":
      return { ...before, text: event.text, retry: undefined };
    case "reasoning":
      return { ...before, thinking: before.thinking + event.delta };
    case "tool":
      return { ...before, calls: withCall(before.calls, event), retry: undefined };
    case "approval": {
      const others = before.approvals.filter(({ uuid }) => uuid !== event.uuid);
      // Over HTTP an approval has all its fields.
      const waiting = event.state === "waiting" ? [event as Approval] : [];
      return { ...before, approvals: [...others, ...waiting] };
    }
    case "retry":
      return { ...before, retry: event };
    default:
      return before;
  }
}

function withCall(calls: readonly ToolCall[], { type, ...call }: ToolEvent): readonly ToolCall[] {
  const at = calls.findIndex(({ toolCallId }) => toolCallId === call.toolCallId);
  return at < 0 ? [...calls, call] : calls.with(at, { ...calls[at], ...call });
}
