import type { Decision } from "../chat/decision.ts";
import type { BroadcastFrame } from "../chat/frames.ts";
import type { Peer } from "../chat/peer.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { type ActiveTurn, startTurn, startTurnAt } from "../chat/turn.ts";
import { resolveTarget } from "../chat/turn-target.ts";
import type { ChatSend } from "../chat/wire.ts";
import { conflict, EngineError, tooMany } from "../errors.ts";
import { isWithin } from "../events/deletions.ts";
import { Approvals } from "./approvals.ts";
import { EndedEvents } from "./ended-events.ts";
import { HTTP_TURNS_MAX } from "./limits.ts";
import { TurnRecord } from "./record.ts";
import type { LiveTurns } from "./store.ts";
import type { TurnEvents } from "./turn-events.ts";
import { type Unsettled, UnsettledTurns } from "./unsettled-turns.ts";
import type { UncountedTurns } from "./usage-store.ts";
import type { Turn } from "./wire.ts";

/** A `chat.send` of a connection. */
interface SocketTurn {
  id: string;
  input: ChatSend;
  onEnd(): void;
}

interface Running {
  record: TurnRecord;
  /** Undefined until the user message of a turn over HTTP is stored. */
  turn?: ActiveTurn;
  ended: PromiseWithResolvers<void>;
  /** Whether its thread is deleted: then it ends soon. */
  isDeleted: boolean;
}

/** The turns of this process that run: those of sockets, and those over HTTP, which need no client. */
export class ActiveTurns implements LiveTurns, UncountedTurns {
  readonly approvals: Approvals;
  readonly #deps: ChatDeps;
  readonly #alone: Peer;
  readonly #running = new Map<string, Running>();
  readonly #ended: EndedEvents;
  readonly #unsettled: UnsettledTurns;
  #closed = false;

  constructor(deps: ChatDeps, broadcast: (frame: BroadcastFrame) => void) {
    this.#deps = deps;
    this.approvals = new Approvals(deps);
    this.#ended = new EndedEvents(deps);
    this.#unsettled = new UnsettledTurns({ ...deps, running: () => this.#userMessages() });
    deps.deletions.subscribe((deleted) => {
      for (const running of this.#running.values()) {
        running.isDeleted ||= isWithin(deleted, running.record.turn ?? {});
      }
      this.#unsettled.markDeleted(deleted);
    });
    this.#alone = { send() {}, caughtUp: () => undefined, broadcast, uiTools: () => [] };
  }

  get live(): Turn[] {
    return this.#known.filter(({ isDeleted }) => !isDeleted).map(({ turn }) => turn);
  }

  get uncounted(): Turn[] {
    return this.#known.map(({ turn }) => turn);
  }

  findLive(uuid: string): Turn | undefined {
    const running = this.#running.get(uuid);
    const known = running ? toKnown(running) : this.#unsettled.find(uuid);
    return known?.isDeleted ? undefined : known?.turn;
  }

  /** Starts a turn that ends with its connection. */
  startForSocket(peer: Peer, { id, input, onEnd }: SocketTurn): ActiveTurn {
    const running = this.#add("websocket");
    const { record } = running;
    const end = () => {
      this.#remove(record.uuid);
      onEnd();
    };
    running.turn = startTurn(this.#deps, peer, { id, input, journal: record, onEnd: end });
    return running.turn;
  }

  /**
   * Starts a turn over HTTP. Resolves with its record once its user message is stored.
   * @throws EngineError where it cannot start; then nothing is stored.
   */
  async start(input: ChatSend): Promise<Turn> {
    const target = await resolveTarget(this.#deps, input);
    this.#requireRoom(target.thread?.uuid);
    const running = this.#add("http");
    const { record } = running;
    const onEnd = () => this.#remove(record.uuid);
    const request = { id: record.uuid, input, journal: record, onEnd };
    try {
      // The record knows its thread before this waits for anything: a second turn of the thread finds it.
      running.turn = await startTurnAt(target, this.#deps, this.#alone, request);
    } catch (error) {
      onEnd();
      throw error;
    }
    if (this.#closed) running.turn.stop("interrupted");
    return requireBegun(record);
  }

  /**
   * Cancels a turn and resolves with its record when it has ended.
   * @throws EngineError `conflict` where it has ended already.
   */
  async cancel(uuid: string): Promise<Turn> {
    const { turn, record } = this.#running.get(uuid) ?? {};
    if (!turn || !record) throw conflict("The turn has ended already.");
    turn.stop("cancelled");
    await turn.done;
    return requireBegun(record);
  }

  /** The events of a turn that runs or has ended lately, unless its thread is deleted. */
  findEvents(uuid: string): TurnEvents | undefined {
    const running = this.#running.get(uuid);
    if (!running) return this.#ended.find(uuid);
    return running.isDeleted ? undefined : running.record.openEvents();
  }

  /** Interrupts the turns over HTTP; none starts from now on. Resolves when none is left. */
  async interrupt(): Promise<void> {
    this.#closed = true;
    const turns = [...this.#running.values()].filter(({ record }) => record.source === "http");
    for (const { turn } of turns) turn?.stop("interrupted");
    await Promise.all(turns.map(({ ended }) => ended.promise));
  }

  /** Adds the turns that ended last to their table; none runs any more. */
  async settle(): Promise<void> {
    await this.#unsettled.stop();
  }

  /** Ends all streams of events. */
  closeStreams(): void {
    this.#ended.close();
  }

  /** The turns that the table may not have. */
  get #known(): Pick<Unsettled, "turn" | "isDeleted">[] {
    const running = [...this.#running.values()].flatMap((running) => toKnown(running) ?? []);
    return [...this.#unsettled.values(), ...running];
  }

  /** The user messages of the turns that run, also of one that is about to begin. */
  #userMessages(): string[] {
    return [...this.#running.values()].flatMap(({ record }) => record.turn?.userMessageUuid ?? []);
  }

  #requireRoom(threadUuid: string | undefined): void {
    if (this.#closed) throw new EngineError("stopping");
    const records = [...this.#running.values()]
      .map(({ record }) => record)
      .filter(({ source }) => source === "http");
    const active = threadUuid && records.find((record) => record.turn?.threadUuid === threadUuid);
    if (active)
      throw conflict("A turn of this thread is active. Wait for it or cancel it.", active.uuid);
    if (records.length < HTTP_TURNS_MAX) return;
    throw tooMany(`${HTTP_TURNS_MAX} turns are active. Wait for one of them or cancel it.`);
  }

  #add(source: "http" | "websocket"): Running {
    const settle = (uuid: string, decision: Decision) =>
      running.turn?.questions.approvals.settle(uuid, decision) ?? false;
    const record = new TurnRecord(this.#deps, { source, approvals: this.approvals, settle });
    const running: Running = { record, ended: Promise.withResolvers(), isDeleted: false };
    this.#running.set(record.uuid, running);
    return running;
  }

  #remove(uuid: string): void {
    const running = this.#running.get(uuid);
    if (!running) return;
    this.#running.delete(uuid);
    const { turn, openedEvents, hasRow, isBegun } = running.record;
    const { isDeleted } = running;
    if (turn && openedEvents && !isDeleted) this.#ended.keep(turn, openedEvents);
    if (turn && isBegun) {
      const partialText = hasRow ? null : turn.partialText;
      this.#unsettled.add({ turn: { ...turn, partialText }, hasRow, isDeleted });
    }
    running.ended.resolve();
  }
}

/** Undefined before its user message is stored. */
function toKnown({
  record,
  isDeleted,
}: Running): Pick<Unsettled, "turn" | "isDeleted"> | undefined {
  const { turn, isBegun } = record;
  return turn && isBegun ? { turn, isDeleted } : undefined;
}

function requireBegun({ turn }: TurnRecord): Turn {
  if (!turn) throw new TypeError("The turn has no record.");
  return turn;
}
