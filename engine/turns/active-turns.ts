import type { Peer } from "../chat/peer.ts";
import type { ChatDeps } from "../chat/ports.ts";
import { type ActiveTurn, startTurn } from "../chat/turn.ts";
import type { ChatSend } from "../chat/wire.ts";
import { TurnRecord } from "./record.ts";

/** A `chat.send` of a connection. */
interface SocketTurn {
  id: string;
  input: ChatSend;
  onEnd(): void;
}

/** The turns of this process that run, with their records. */
export class ActiveTurns {
  readonly #deps: ChatDeps;
  readonly #records = new Set<TurnRecord>();

  constructor(deps: ChatDeps) {
    this.#deps = deps;
  }

  /** The uuids of the turns that wait for an approval. */
  get waiting(): string[] {
    return [...this.#records].filter(({ isWaiting }) => isWaiting).map(({ uuid }) => uuid);
  }

  /** Starts a turn that belongs to its connection. */
  start(peer: Peer, { id, input, onEnd }: SocketTurn): ActiveTurn {
    const journal = new TurnRecord(this.#deps, "websocket");
    this.#records.add(journal);
    const forget = () => {
      this.#records.delete(journal);
      onEnd();
    };
    return startTurn(this.#deps, peer, { id, input, journal, onEnd: forget });
  }
}
