import type { Database } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { invalid } from "../errors.ts";
import { PAGE_ENTRIES_MAX } from "../limits.ts";
import { findMessagePlace, findPageEnd, messagesWithin } from "./store.ts";

interface PageRequest {
  limit?: number | undefined;
  before?: string | undefined;
}

/** A page of messages, and the uuid before which the next page lies; undefined where nothing is left. */
interface MessagePage {
  list: ListQuery;
  next: string | undefined;
}

/** The newest messages, or those before a message. @throws EngineError `invalid` where that is no message of the thread. */
export async function messagePage(
  db: Database,
  threadUuid: string,
  { limit = PAGE_ENTRIES_MAX, before }: PageRequest,
): Promise<MessagePage> {
  const place = before === undefined ? undefined : await findMessagePlace(db, threadUuid, before);
  if (before !== undefined && !place) {
    throw invalid("The request is not valid.", "before: is no message of this thread");
  }
  const { end, isLast } = await findPageEnd(db, threadUuid, { limit, below: place });
  return { list: messagesWithin(threadUuid, end, place), next: isLast ? undefined : end?.uuid };
}
