import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { BackgroundWork } from "../db/background-work.ts";
import { writeRelaxed } from "../db/slices.ts";
import { type Deleted, isWithin } from "../events/deletions.ts";
import { TURNS_UNSETTLED_KEPT_MAX, TURNS_UNSETTLED_MAX } from "./limits.ts";
import { settleStatements } from "./record-store.ts";
import type { Turn } from "./wire.ts";

/** A turn that has ended and is not in the tables of turns and usage yet. */
export interface Unsettled {
  readonly turn: Turn;
  /** Whether it has a row: what a row may hold of it is left out here. */
  readonly hasRow: boolean;
  /** Whether its thread is deleted: then it is counted, and not shown. */
  isDeleted: boolean;
}

interface UnsettledParts {
  db: Database;
  log: Logger;
  /** The user messages of the turns that run. */
  running(): readonly string[];
}

/** The turns that ended last. They are added to the tables together, since each alone would cost its client time. */
export class UnsettledTurns {
  readonly #turns = new Map<string, Unsettled>();
  readonly #parts: UnsettledParts;
  readonly #background: BackgroundWork;
  #hasForgotten = false;

  constructor(parts: UnsettledParts) {
    this.#parts = parts;
    this.#background = new BackgroundWork({
      ...parts,
      work: () => this.#settle(),
      failed: "The records of turns could not be added to their table.",
    });
  }

  add(unsettled: Unsettled): void {
    this.#turns.set(unsettled.turn.uuid, unsettled);
    if (this.#turns.size > TURNS_UNSETTLED_KEPT_MAX) this.#forgetOldest();
    // One of a deleted thread stands nowhere else.
    if (this.#turns.size >= TURNS_UNSETTLED_MAX || unsettled.isDeleted) this.#background.wake();
  }

  find(turnUuid: string): Unsettled | undefined {
    return this.#turns.get(turnUuid);
  }

  values(): IterableIterator<Unsettled> {
    return this.#turns.values();
  }

  /** Those of a deleted thread or workspace are not shown any more. They are added before its rows are removed. */
  markDeleted(deleted: Deleted): void {
    for (const unsettled of this.#turns.values()) {
      if (!isWithin(deleted, unsettled.turn)) continue;
      unsettled.isDeleted = true;
      this.#background.wake();
    }
  }

  /** Adds what is left, so that the next start has nothing to look for. */
  async stop(): Promise<void> {
    this.#background.wake();
    await this.#background.settled();
    await this.#background.stop();
  }

  /** What is settled stays as it is from then on, so that the next start finds the forgotten ones. */
  #forgetOldest(): void {
    const [oldest] = this.#turns.keys();
    if (oldest !== undefined) this.#turns.delete(oldest);
    this.#hasForgotten = true;
  }

  async #settle(): Promise<void> {
    if (this.#hasForgotten) return;
    const { db, running } = this.#parts;
    const all = [...this.#turns.values()];
    const unstored = all.flatMap(({ turn, hasRow }) => (hasRow ? [] : turn));
    const ended = all.map(({ turn }) => turn);
    await writeRelaxed(db, settleStatements({ unstored, ended, active: running() }));
    for (const { uuid } of ended) this.#turns.delete(uuid);
  }
}
