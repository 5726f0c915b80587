import type { Connection } from "./connection.ts";
import { UNREAD_EVENTS_MAX } from "./limits.ts";
import type {
  Approval,
  GraphActivity,
  ModelDeltaActivity,
  Operations,
  ReasoningTurnEvent,
  RetryTurnEvent,
  StartTurn,
  ToolTurnEvent,
  Turn,
} from "./wire.generated.ts";

/**
 * What the user says, and where: exactly one of the two uuids. A workspace begins a new thread. `replaces` names a user message of
 * the thread: the turn runs in a fork of what is before it, with the stored text if there is no `content`.
 */
export type ChatInput = Omit<StartTurn, "content"> & {
  threadUuid?: string;
  workspaceUuid?: string;
} & ({ content: string; replaces?: undefined } | { content?: string | null; replaces: string });

/** A tool call that waits for an answer. A turn over the WebSocket has no uuid while it runs. */
export type ApprovalRequest = Pick<
  Approval,
  "uuid" | "threadUuid" | "toolName" | "operation" | "arguments"
> &
  Partial<Approval>;

/**
 * Answers an approval: `"approve"`, `true` or `{decision: "approve", remember?}` approves, everything else denies, also a failure and
 * what cannot be remembered. A turn over the WebSocket remembers nothing. The signal is aborted if no answer is needed any more.
 */
export type OnApproval = (request: ApprovalRequest, options: { signal: AbortSignal }) => unknown;

/** How a turn is followed. */
export interface FollowOptions {
  /** Cancels the turn at the engine. */
  signal?: AbortSignal;
  /** Answers approvals. `chat` denies without it; `follow` leaves them to other clients. */
  onApproval?: OnApproval;
}

/** How a turn is run. */
export interface ChatOptions extends FollowOptions {
  /** `http`, the default, outlives the client; a turn of a `websocket` ends with it. */
  transport?: "http" | "websocket";
  /** The UI tools of the client, by id. Only for turns over the WebSocket; every call needs an approval. */
  uiTools?: Record<string, (args: Record<string, unknown>) => unknown>;
}

/**
 * What happens in a turn. The texts of all `text` events are the answer, unless a `snapshot` replaces them. While the engine is away,
 * `reconnecting` comes before each attempt to reach it: `since` is when the connection was lost, `attempt` counts from 1.
 */
export type ChatEvent =
  | { type: "reconnecting"; since: string; attempt: number }
  | { type: "begin"; turn: Turn }
  | { type: "text"; delta: string }
  | { type: "snapshot"; text: string }
  | ({ type: "reasoning" } & ReasoningTurnEvent["data"])
  | ({ type: "tool" } & ToolTurnEvent["data"])
  | ({ type: "approval"; state: Approval["state"] } & ApprovalRequest)
  | ({ type: "retry" } & RetryTurnEvent["data"])
  | Exclude<GraphActivity, ModelDeltaActivity>
  | { type: "end"; turn: Turn }
  | { type: "other"; event: string; data: unknown };

/** A completed turn. */
export interface ChatResult {
  text: string;
  threadUuid: string;
  turnUuid: string;
  turn: Turn;
}

/**
 * A running turn. Each loop over it starts with its first event, and ends with `end`, however the turn ends.
 * Awaiting it returns its text. It rejects with `TurnCancelled`, `TurnFailed`, or with an `EngineError` if there is no turn.
 */
export interface ChatTurn extends Promise<ChatResult>, AsyncIterable<ChatEvent> {}

/** What turns are run with. */
export interface ChatDeps {
  connection: Connection;
  operations: Operations;
  /** How long a turn waits for an engine that is away, in milliseconds. */
  reconnectMs: number;
}

/** Runs a turn, and keeps its events for its readers. */
export function startChat(
  run: (emit: (event: ChatEvent) => void) => Promise<ChatResult>,
): ChatTurn {
  const events = new EventLog();
  const result = run((event) => events.add(event));
  // Callers that do not await it read the failure from its events.
  const end = () => events.end(result);
  result.then(end, end);
  return Object.assign(result, { [Symbol.asyncIterator]: () => events.read() });
}

/** The events of a turn from its beginning, for any number of readers. */
class EventLog {
  readonly #events: ChatEvent[] = [];
  /** How many of them a reader has. */
  #taken = 0;
  #changed = Promise.withResolvers<void>();
  #result: Promise<ChatResult> | undefined;

  add(event: ChatEvent): void {
    const last = this.#events.at(-1);
    const unread = this.#events.length - this.#taken;
    if (unread > UNREAD_EVENTS_MAX && isDelta(event) && isDelta(last) && event.type === last.type) {
      this.#events[this.#events.length - 1] = { ...event, delta: last.delta + event.delta };
    } else this.#events.push(event);
    this.#wake();
  }

  /** Passes a failure to the readers, unless they stop at an event that reports the end. */
  end(result: Promise<ChatResult>): void {
    this.#result = result;
    this.#wake();
  }

  async *read(): AsyncGenerator<ChatEvent, void> {
    for (let at = 0; ; ) {
      const event = this.#events[at];
      if (event) {
        at += 1;
        this.#taken = Math.max(this.#taken, at);
        yield event;
        if (event.type === "end") return;
      } else if (this.#result) {
        await this.#result;
        return;
      } else await this.#changed.promise;
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function isDelta(event: ChatEvent | undefined) {
  return event?.type === "text" || event?.type === "reasoning";
}
