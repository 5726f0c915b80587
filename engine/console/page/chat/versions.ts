import {
  type EngineClient,
  EngineError,
  type Fork,
  type ForkOrigin,
  type Message,
} from "../../../client/client.ts";

const NOT_FOUND = 404;

type Threads = Pick<EngineClient["threads"], "getOrigin" | "listForks">;

/** Where a chat came from, and which ones came from it and from its origin. */
interface Relatives {
  origin: ForkOrigin | undefined;
  forks: readonly Fork[];
  forksOfOrigin: readonly Fork[];
}

export const NO_RELATIVES: Relatives = { origin: undefined, forks: [], forksOfOrigin: [] };

/** @throws EngineError */
export async function readRelatives(
  threads: Threads,
  uuid: string,
  call: { signal: AbortSignal },
): Promise<Relatives> {
  const [origin, forks] = await Promise.all([
    threads.getOrigin(uuid, call).catch(undefinedIfNone),
    threads.listForks(uuid, call),
  ]);
  const forksOfOrigin = origin ? await threads.listForks(origin.threadUuid, call) : [];
  return { origin, forks, forksOfOrigin };
}

/** A chat and all that hold versions of its messages. @throws EngineError */
export async function listVersions(threads: Threads, uuid: string): Promise<string[]> {
  const origin = await threads.getOrigin(uuid).catch(undefinedIfNone);
  if (origin?.replacedMessageUuid) return listVersions(threads, origin.threadUuid);
  const found = [uuid];
  // The list grows while it is walked.
  for (const thread of found) {
    const forks = await threads.listForks(thread);
    found.push(...forks.filter((it) => it.replacedMessageUuid).map((it) => it.threadUuid));
  }
  return found;
}

function undefinedIfNone(error: unknown): undefined {
  if (!(error instanceof EngineError && error.status === NOT_FOUND)) throw error;
}

/** The message that another version of a message replaces: of a version that of the first one, so that all lie side by side. */
export function replacedBy({ origin }: Relatives, threadUuid: string, { uuid }: Message) {
  if (origin?.replacedMessageUuid && origin.replacementMessageUuid === uuid) {
    return { threadUuid: origin.threadUuid, messageUuid: origin.replacedMessageUuid };
  }
  return { threadUuid, messageUuid: uuid };
}

/** The chats with the versions of a message, the first one first; only its own if there is one version. */
export function versionsOf(relatives: Relatives, threadUuid: string, message: Message): string[] {
  const first = replacedBy(relatives, threadUuid, message);
  const forks = first.threadUuid === threadUuid ? relatives.forks : relatives.forksOfOrigin;
  const others = forks.filter((fork) => fork.replacedMessageUuid === first.messageUuid);
  const sorted = others.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
  return [first.threadUuid, ...sorted.map((fork) => fork.threadUuid)];
}
