import { setImmediate } from "node:timers/promises";
import { BackgroundWork } from "../db/background-work.ts";
import type { EngineDeps } from "../deps.ts";
import { indexPage, mergePages, readIndexed } from "./index-store.ts";
import { MESSAGE_SEARCH_MS_MAX, MESSAGES_UNINDEXED_MAX } from "./limits.ts";

/**
 * Keeps the full text index of messages. New messages are indexed in batches, or when a search needs them: storing one costs
 * nothing more. Those of an older database follow in the background, the oldest first. Others go first between commits.
 */
export class MessageIndex extends BackgroundWork {
  protected override readonly failed = "Messages could not be indexed.";
  /** One page at a time: each begins where the last one ended. */
  #lastPage = Promise.resolve(0);

  constructor({ db, log, events }: Pick<EngineDeps, "db" | "log" | "events">) {
    super({ db, log });
    let stored = 0;
    events.subscribe(({ type }) => {
      if (type !== "message.created") return;
      stored += 1;
      if (stored % MESSAGES_UNINDEXED_MAX === 0) this.wake();
    });
  }

  /** Indexes what is new, so that a search finds it; if there is too much, the search goes on without the rest. */
  async catchUp(): Promise<void> {
    const endsAt = performance.now() + MESSAGE_SEARCH_MS_MAX;
    while (performance.now() < endsAt && (await this.#indexPage()) > 0) {
      // What it wrote is merged in the background.
      this.wake();
      await setImmediate();
    }
  }

  /** Ends after the page on the way. */
  override async stop(): Promise<void> {
    await super.stop();
    await this.#lastPage;
  }

  /** Skips messages that arrive during the run: indexing them in small commits is too expensive. */
  protected override async work(): Promise<void> {
    const { newest } = await readIndexed(this.db);
    let hasMore = true;
    while (hasMore && !this.isOver) {
      await setImmediate();
      const isBehind = (await readIndexed(this.db)).upTo < newest;
      const indexed = isBehind ? await this.#indexPage() : 0;
      await setImmediate();
      // SQLite itself would merge much within one commit.
      const isMerged = await mergePages(this.db);
      hasMore = indexed > 0 || isMerged;
    }
  }

  /** Returns how many messages it indexed. */
  #indexPage(): Promise<number> {
    const page = this.#lastPage.then(() => (this.isOver ? 0 : indexPage(this.db)));
    this.#lastPage = page.catch(() => 0);
    return page;
  }
}
