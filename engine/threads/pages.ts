import { setImmediate } from "node:timers/promises";
import { BoundedMap } from "../../shared/bounded-map.ts";
import type { Database } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { conflict, invalid } from "../errors.ts";
import {
  LOOP_SLICE_MS,
  PAGE_ENDS_MAX,
  PAGE_ENTRIES_MAX,
  TITLE_SEARCHED_CHARACTERS_MAX,
  TITLES_PER_READ,
} from "../limits.ts";
import {
  findThreadPlace,
  listThreadsBelow,
  type ThreadPlace,
  type ThreadsBelow,
  threadsAmong,
} from "./store.ts";
import type { ThreadsQuery } from "./wire.ts";

/** A page of threads, and the parameters of the next one; undefined if nothing is left. */
interface ThreadPage {
  list: ListQuery;
  next: { before: string; at: string } | undefined;
}

const CHANGED = "The list changed; start again.";

/** Pages of the threads of workspaces. A thread that moves in the list takes the end of its page with it: that is noticed. */
export class ThreadPages {
  /** When the last threads of pages were updated, for clients that make the address of the next page themselves. */
  readonly #ends = new BoundedMap<string, string>(PAGE_ENDS_MAX);

  /** @throws EngineError `invalid`; `conflict` if the thread moved or is gone since its page was read. */
  async read(db: Database, workspaceUuid: string, request: ThreadsQuery): Promise<ThreadPage> {
    const { limit = PAGE_ENTRIES_MAX, before, query = "" } = request;
    const below =
      before === undefined ? undefined : await this.#find(db, workspaceUuid, before, request.at);
    const allVersions = request.versions === undefined;
    const wanted = { below, limit: limit + 1, allVersions };
    const found = await listMatches(db, workspaceUuid, query, wanted);
    const page = found.slice(0, limit);
    const end = found.length > limit ? page.at(-1) : undefined;
    if (end) this.#ends.set(end.uuid, end.updatedAt);
    const ids = page.map(({ id }) => id);
    return {
      list: threadsAmong(workspaceUuid, ids),
      next: end && { before: end.uuid, at: end.updatedAt },
    };
  }

  async #find(
    db: Database,
    workspaceUuid: string,
    uuid: string,
    at: string | undefined,
  ): Promise<ThreadPlace> {
    const place = await findThreadPlace(db, workspaceUuid, uuid);
    const expected = at ?? this.#ends.get(uuid);
    if (place && (expected === undefined || expected === place.updatedAt)) return place;
    if (expected === undefined) {
      throw invalid("The request is not valid.", "before: is not a thread of this workspace");
    }
    this.#ends.delete(uuid);
    throw conflict("Conflict.", CHANGED);
  }
}

/** The first threads below a position whose title holds the query; others go first between slices. */
async function listMatches(
  db: Database,
  workspaceUuid: string,
  query: string,
  wanted: Omit<ThreadsBelow, "titleCharacters">,
): Promise<ThreadPlace[]> {
  if (query === "") return listThreadsBelow(db, workspaceUuid, { ...wanted, titleCharacters: 0 });
  const { limit } = wanted;
  const part = fold(query);
  const found: ThreadPlace[] = [];
  const read = {
    ...wanted,
    limit: TITLES_PER_READ,
    titleCharacters: TITLE_SEARCHED_CHARACTERS_MAX,
  };
  let startedAt = performance.now();
  for (;;) {
    const threads = await listThreadsBelow(db, workspaceUuid, read);
    found.push(...threads.filter(({ title }) => fold(title).includes(part)));
    read.below = threads.at(-1);
    if (found.length >= limit || threads.length < TITLES_PER_READ) return found.slice(0, limit);
    if (performance.now() - startedAt < LOOP_SLICE_MS) continue;
    await setImmediate();
    startedAt = performance.now();
  }
}

/** Both steps: some letters have one form in only one of the cases (the two small sigmas, İ). */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}
