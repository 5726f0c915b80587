import { toCamelCase } from "../../shared/client/names.ts";
import { onAbort } from "../../shared/on-abort.ts";
import type { ChatEvent, ChatResult } from "./chat.ts";
import { TurnCancelled, TurnFailed } from "./errors.ts";
import { CANCEL_WAIT_MS } from "./limits.ts";
import type { Turn } from "./wire.generated.ts";

/** A turn from its request to its end: its text so far, how it is cancelled, and what ends with it. */
export class RunningTurn {
  readonly #emit: (event: ChatEvent) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #over = new AbortController();
  readonly #removeListener: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sendCancel: (() => void) | undefined;
  #text = "";
  #uuid: string | undefined;

  /** @throws TurnCancelled if the signal is aborted already: then nothing is sent. */
  constructor(signal: AbortSignal | undefined, emit: (event: ChatEvent) => void) {
    this.#signal = signal;
    this.#emit = emit;
    if (signal?.aborted) throw this.cancelled();
    this.#removeListener = signal && onAbort(signal, () => this.#cancel());
  }

  /** Aborted at the end, and if the engine does not end a cancelled turn, or its stream, in time. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Sets what sends the cancel to the engine; calls it at once if the turn is cancelled already. */
  onCancel(sendCancel: () => void): void {
    this.#sendCancel = sendCancel;
    if (this.#signal?.aborted) sendCancel();
  }

  emit(event: ChatEvent): void {
    if (event.type === "begin") this.#uuid = event.turn.uuid;
    if (event.type === "snapshot") this.#text = event.text;
    if (event.type === "text") this.#text += event.delta;
    this.#emit(event);
  }

  /** Whether the engine has begun it. */
  get hasBegun(): boolean {
    return this.#uuid !== undefined;
  }

  /** The whole text so far, of which some may be known already. A shorter one is of a record that a kill left behind. */
  replaceText(text: string): void {
    if (text.length < this.#text.length) return;
    if (!text.startsWith(this.#text)) this.emit({ type: "snapshot", text });
    else if (text !== this.#text) this.emit({ type: "text", delta: text.slice(this.#text.length) });
  }

  /** Ends the turn with its record. @throws TurnCancelled, TurnFailed */
  toResult(turn: Turn): ChatResult {
    this.#uuid = turn.uuid;
    this.emit({ type: "end", turn });
    const { state, threadUuid, error } = turn;
    if (state === "completed") return { text: this.#text, threadUuid, turnUuid: turn.uuid, turn };
    const { partialText } = turn;
    if (partialText !== null && partialText.length > this.#text.length) this.#text = partialText;
    if (state === "cancelled") throw this.cancelled();
    throw this.failed(error ?? "The engine ended before the turn did.");
  }

  failed(message: string, cause?: unknown): TurnFailed {
    return new TurnFailed(message, { turnUuid: this.#uuid, partialText: this.#text, cause });
  }

  cancelled(): TurnCancelled {
    const { reason: cause } = this.#signal ?? {};
    const state = { turnUuid: this.#uuid, partialText: this.#text, cause };
    return new TurnCancelled("The turn was cancelled.", state);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#removeListener?.();
    this.#over.abort();
  }

  #cancel(): void {
    this.#timer = setTimeout(() => this.#over.abort(), CANCEL_WAIT_MS);
    this.#sendCancel?.();
  }
}

// Events whose data are the fields of the client's event.
const PLAIN = /^(reasoning|tool|approval|retry)$/;
// Events of the graph, whose names are in snake_case.
const GRAPH = /^(run\.(started|completed|aborted|failed)|node\.(started|completed))$/;

/** An event of a turn, by its type, as documented by the engine. */
export function toChatEvent(type: string, data: unknown): ChatEvent {
  if (type === "model.delta") return { type: "text", delta: (data as { delta: string }).delta };
  if (type === "end") return { type, turn: data as Turn };
  if (PLAIN.test(type)) return { ...Object(data), type };
  if (GRAPH.test(type)) return toCamelCase(data) as ChatEvent;
  return { type: "other", event: type, data };
}
