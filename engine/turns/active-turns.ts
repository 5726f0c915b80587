import type { BroadcastFrame, Peer } from "../chat/frames.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { type ActiveTurn, startTurn } from "../chat/turn.ts";
import type { TurnStartInput } from "../chat/wire.ts";
import { conflict, EngineError, tooMany } from "../errors.ts";
import { Approvals } from "./approvals.ts";
import { EndedEvents } from "./ended-events.ts";
import { CLIENT_KEY_TURNS_MAX, HTTP_TURNS_MAX } from "./limits.ts";
import { TurnRecord } from "./record.ts";
import { TurnEnds } from "./record-store.ts";
import type { TurnEvents } from "./turn-events.ts";
import type { Turn } from "./wire.ts";

interface TurnRequest {
  /** That of the frame; by default, the uuid of the turn. */
  id?: string;
  input: TurnStartInput;
  onEnd?(): void;
}

interface Running {
  record: TurnRecord;
  turn: ActiveTurn;
  /** Undefined if the turn creates its thread. */
  threadUuid: string | undefined;
}

/** The turns of this process that run: those of sockets, and those over HTTP, which need no client. */
export class ActiveTurns {
  readonly approvals: Approvals;
  readonly #deps: ChatDeps;
  readonly #alone: Peer;
  readonly #running = new Map<string, Running>();
  /** The threads that are compacted. */
  readonly #held = new Set<string>();
  readonly #ended: EndedEvents;
  readonly #ends: TurnEnds;
  #closed = false;

  constructor(deps: ChatDeps, broadcast: (frame: BroadcastFrame) => void) {
    this.#deps = deps;
    this.approvals = new Approvals(deps);
    this.#ended = new EndedEvents(deps);
    this.#ends = new TurnEnds(deps);
    this.#alone = { send() {}, caughtUp: () => undefined, broadcast, uiTools: () => [] };
  }

  /** Starts a turn that ends with its connection. */
  startForSocket(peer: Peer, request: TurnRequest): ActiveTurn {
    return this.#start("websocket", peer, request).turn;
  }

  /**
   * Starts a turn over HTTP. Resolves with its record once its user message is stored.
   * @throws EngineError if it cannot start; then nothing is stored.
   */
  async start(input: TurnStartInput): Promise<Turn> {
    for (let other = this.#requireRoom(input); other; other = this.#requireRoom(input)) await other;
    const { record, turn } = this.#start("http", this.#alone, { input });
    await turn.started;
    return requireStarted(record);
  }

  /**
   * Cancels a turn and resolves with its record when it has ended.
   * @throws EngineError `conflict` if it has ended already.
   */
  async cancel(uuid: string): Promise<Turn> {
    const running = this.#running.get(uuid);
    if (!running) throw conflict("The turn has ended already.");
    await endAll([running], "cancelled");
    return requireStarted(running.record);
  }

  /** Cancels the turns of a client key. Resolves when they have ended. */
  async cancelOfKey(keyUuid: string): Promise<void> {
    const turns = this.#overHttp().filter(({ record }) => record.clientKeyUuid === keyUuid);
    await endAll(turns, "cancelled");
  }

  /**
   * Keeps a thread for a compaction, until it is disposed.
   * @throws EngineError `conflict` if a turn of it is active, or it is compacted
   */
  async holdThread(threadUuid: string): Promise<Disposable> {
    for (;;) {
      if (this.#closed) throw new EngineError("stopping");
      if (this.#held.has(threadUuid)) throw conflict("The thread is compacted already.");
      const all = [...this.#running.values()];
      const other = all.find((running) => threadOf(running) === threadUuid);
      if (!other) break;
      await requireEnding(other);
    }
    this.#held.add(threadUuid);
    return { [Symbol.dispose]: () => void this.#held.delete(threadUuid) };
  }

  /** The events of a turn that runs or has ended lately. */
  findEvents(uuid: string): TurnEvents | undefined {
    return this.#running.get(uuid)?.record.openEvents() ?? this.#ended.find(uuid);
  }

  /** Interrupts the turns over HTTP; none starts from now on. Resolves when none is left. */
  async interrupt(): Promise<void> {
    this.#closed = true;
    await endAll(this.#overHttp(), "interrupted");
  }

  /** Ends the streams of events, and stores the ends that could not be stored; no turn runs any more. */
  async close(): Promise<void> {
    this.#ended.close();
    await this.#ends.flush();
  }

  #start(source: "http" | "websocket", peer: Peer, { id, input, onEnd }: TurnRequest): Running {
    const { approvals } = this;
    const clientKey = input.client?.key;
    const record = new TurnRecord(this.#deps, { source, approvals, ends: this.#ends, clientKey });
    const turn = startTurn(this.#deps, peer, {
      id: id ?? record.uuid,
      input,
      journal: record,
      onEnd: () => {
        this.#remove(record);
        onEnd?.();
      },
    });
    const running = { record, turn, threadUuid: placeOf(input) };
    this.#running.set(record.uuid, running);
    return running;
  }

  #remove(record: TurnRecord): void {
    this.#running.delete(record.uuid);
    const { turn, openedEvents } = record;
    if (turn && openedEvents) this.#ended.keep(turn, openedEvents);
  }

  #overHttp(): Running[] {
    return [...this.#running.values()].filter(({ record }) => record.source === "http");
  }

  /**
   * Returns what to wait for before another call: a turn of the thread that is starting or ending. A client may have seen that
   * end already, since a commit is visible before this process knows of it.
   * @throws EngineError if no turn may start.
   */
  #requireRoom(input: TurnStartInput): Promise<void> | undefined {
    if (this.#closed) throw new EngineError("stopping");
    const threadUuid = placeOf(input);
    const keyUuid = input.client?.key.uuid;
    const turns = this.#overHttp();
    const other = threadUuid && turns.find((running) => threadOf(running) === threadUuid);
    if (other) return requireEnding(other);
    const ofKey = turns.filter(({ record }) => keyUuid && record.clientKeyUuid === keyUuid).length;
    if (ofKey >= CLIENT_KEY_TURNS_MAX) {
      throw tooMany(`${CLIENT_KEY_TURNS_MAX} turns of this key are active. Wait for one of them.`);
    }
    if (turns.length < HTTP_TURNS_MAX) return undefined;
    throw tooMany(`${HTTP_TURNS_MAX} turns are active. Wait for one of them or cancel it.`);
  }
}

/** Resolves when these turns have ended. */
async function endAll(turns: readonly Running[], as: "cancelled" | "interrupted"): Promise<void> {
  for (const { turn } of turns) turn.stop(as);
  await Promise.all(turns.map(({ turn }) => turn.done));
}

/**
 * Returns what to wait for until a turn that starts or ends lets another one have its thread.
 * @throws EngineError `conflict` if it is active
 */
function requireEnding({ record, turn }: Running): Promise<void> {
  if (!record.isStarted) return turn.started.catch(() => {});
  if (record.isEnding) return turn.done;
  throw conflict("A turn of this thread is active. Wait for it or cancel it.", record.uuid);
}

/** The thread that a turn is known to run in; undefined if it makes one. */
function placeOf({ thread_uuid, replaces }: TurnStartInput): string | undefined {
  return replaces == null ? (thread_uuid ?? undefined) : undefined;
}

function threadOf({ record, threadUuid }: Running): string | undefined {
  return record.turn?.threadUuid ?? threadUuid;
}

function requireStarted({ turn }: TurnRecord): Turn {
  if (!turn) throw new TypeError("The turn has no record.");
  return turn;
}
