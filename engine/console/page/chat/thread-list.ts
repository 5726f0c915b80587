import { signal } from "@preact/signals";
import type { EngineChange, MessageHit, Thread } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { HITS_SHOWN_MAX, SEARCH_WAIT_MS, THREADS_PER_PAGE, THREADS_SHOWN_MAX } from "./limits.ts";

/** The threads of a workspace, or those that a search finds, and the messages that it finds. */
export class ThreadList {
  readonly threads = signal<readonly Thread[] | undefined>(undefined);
  readonly hits = signal<readonly MessageHit[]>([]);
  readonly hasMore = signal(false);
  readonly error = signal<Error | undefined>(undefined);
  readonly query = signal("");
  readonly workspaceUuid: string;
  #shownMax = THREADS_PER_PAGE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading = new AbortController();

  constructor(workspaceUuid: string) {
    this.workspaceUuid = workspaceUuid;
  }

  /** Reads it; a read that runs is given up. */
  async load(): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const query = this.query.value.trim();
    const { workspaceUuid } = this;
    try {
      const limit = this.#shownMax;
      const page = query === "" ? { limit } : { limit, query };
      const [threads, hits] = await Promise.all([
        engine.threads.list(workspaceUuid, page, { signal }),
        query === ""
          ? []
          : engine.search.searchMessages(
              { query, workspaceUuid, limit: HITS_SHOWN_MAX },
              { signal },
            ),
      ]);
      this.threads.value = threads;
      this.hits.value = hits;
      this.hasMore.value = threads.length === limit && limit < THREADS_SHOWN_MAX;
      this.error.value = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.error.value = error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Searches titles and messages once typing pauses. */
  search(query: string): void {
    this.query.value = query;
    this.#shownMax = THREADS_PER_PAGE;
    this.#loadSoon();
  }

  loadMore(): Promise<void> {
    this.#shownMax = Math.min(this.#shownMax + THREADS_PER_PAGE, THREADS_SHOWN_MAX);
    return this.load();
  }

  /** Takes a change of the engine. */
  take({ type }: EngineChange): void {
    // A message moves its thread to the top.
    if (/^(thread|message)\.|^resync$/.test(type)) this.#loadSoon();
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#reading.abort();
  }

  #loadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), SEARCH_WAIT_MS);
  }
}
