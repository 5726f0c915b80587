import { setImmediate } from "node:timers/promises";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { BackgroundWork } from "../db/background-work.ts";
import { SliceSize } from "../db/slices.ts";
import type { EventBus } from "../events/bus.ts";
import { indexPage, mergePages } from "./index-store.ts";
import {
  MESSAGE_INDEX_ROWS,
  MESSAGE_MERGE_PAGES,
  MESSAGE_MERGES_PER_SLICE,
  MESSAGE_SEARCH_MS_MAX,
  MESSAGES_UNINDEXED_MAX,
} from "./limits.ts";

interface IndexDeps {
  db: Database;
  log: Logger;
  events: EventBus;
}

/**
 * Keeps the full text index of messages. New messages are indexed in batches, or when a search needs them: storing one costs
 * nothing more. Messages of an older database follow in the background, the newest first. Others go first between commits.
 */
export class MessageIndex {
  readonly #db: Database;
  readonly #rows = new SliceSize(MESSAGE_INDEX_ROWS);
  readonly #pages = new SliceSize(MESSAGE_MERGE_PAGES);
  readonly #background: BackgroundWork;
  #unindexed = 0;
  /** New messages that the run indexes. How many an earlier process left is not known. */
  #due = Number.POSITIVE_INFINITY;
  /** One commit at a time: each begins where the last one ended. */
  #lastPage: Promise<unknown> = Promise.resolve();

  constructor({ db, log, events }: IndexDeps) {
    this.#db = db;
    this.#background = new BackgroundWork({
      db,
      log,
      work: () => this.#indexAll(),
      failed: "Messages could not be indexed.",
    });
    events.subscribe(({ type }) => {
      if (type !== "message.created") return;
      this.#unindexed += 1;
      if (this.#unindexed < MESSAGES_UNINDEXED_MAX) return;
      this.#due = Math.max(this.#due, this.#unindexed);
      this.wake();
    });
  }

  /** Starts the indexing of what is left. */
  wake(): void {
    this.#background.wake();
  }

  /** Indexes what is new, so that a search finds it; where there is too much, the search goes on without the rest. */
  async catchUp(): Promise<void> {
    const startedAt = performance.now();
    while (!this.#background.isOver && performance.now() - startedAt < MESSAGE_SEARCH_MS_MAX) {
      if ((await this.#indexPage("newer")) === 0) return;
      // What it wrote is merged in the background.
      this.wake();
      await setImmediate();
    }
  }

  /** Resolves once nothing is left to index, or a commit failed. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** Ends after the commit on the way. */
  async stop(): Promise<void> {
    await this.#background.stop();
    await this.#lastPage;
  }

  async #indexAll(): Promise<void> {
    let hasMore = true;
    while (hasMore && !this.#background.isOver) {
      await setImmediate();
      hasMore = (await this.#indexNew()) || (await this.#indexPage("older")) > 0;
      await this.#merge(hasMore ? MESSAGE_MERGES_PER_SLICE : Number.POSITIVE_INFINITY);
    }
  }

  /** Does not follow the messages that arrive meanwhile: a commit for every few of them would cost more than they do. */
  async #indexNew(): Promise<boolean> {
    return this.#due > 0 && (await this.#indexPage("newer")) > 0;
  }

  /** Returns how many messages it indexed. */
  #indexPage(which: "newer" | "older"): Promise<number> {
    const page = this.#lastPage.then(async () => {
      if (this.#background.isOver) return 0;
      const indexed = await this.#rows.measure((rows) => indexPage(this.#db, which, rows));
      if (which === "newer") {
        this.#unindexed = indexed && Math.max(0, this.#unindexed - indexed);
        this.#due = indexed && Math.max(0, this.#due - indexed);
      }
      return indexed;
    });
    this.#lastPage = page.catch(() => undefined);
    return page;
  }

  /** Merges what the slices wrote, little by little: SQLite itself would merge much within one commit. */
  async #merge(commitsMax: number): Promise<void> {
    for (let commits = 0; commits < commitsMax && !this.#background.isOver; commits += 1) {
      await setImmediate();
      if (!(await this.#pages.measure((pages) => mergePages(this.#db, pages)))) break;
    }
  }
}
