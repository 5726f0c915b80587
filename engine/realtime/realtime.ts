import type { ChatDeps } from "../chat/ports.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import { EventStreams } from "./event-streams.ts";
import { type ClientRegistry, type Socket, SocketSession } from "./session.ts";

const GOING_AWAY = 1001;

/** All connections of this process: event streams and sockets. */
export class Realtime {
  readonly streams: EventStreams;
  readonly #deps: ChatDeps;
  readonly #turns: ActiveTurns;
  readonly #clients: ClientRegistry;
  readonly #sessions = new Set<SocketSession>();

  constructor(deps: ChatDeps, clients: ClientRegistry, turns: ActiveTurns) {
    this.#deps = deps;
    this.#clients = clients;
    this.#turns = turns;
    this.streams = new EventStreams(deps.events);
  }

  /** A connection that passed the guard and the bearer. The caller closes it. */
  openSocket(socket: Socket): SocketSession {
    const onClose = () => this.#sessions.delete(session);
    const options = { socket, onClose, turns: this.#turns };
    const session = new SocketSession(this.#deps, this.#clients, options);
    this.#sessions.add(session);
    return session;
  }

  get sockets(): number {
    return this.#sessions.size;
  }

  /** Ends all streams and turns, and closes all sockets with 1001. Resolves when all have ended. */
  async close(): Promise<void> {
    const ends = [...this.#sessions].map((it) => it.end(GOING_AWAY, "The engine is stopping."));
    await Promise.all(ends);
    // Last, so that the streams get the final events of the turns.
    this.streams.close();
    this.#deps.changes.close();
  }
}
