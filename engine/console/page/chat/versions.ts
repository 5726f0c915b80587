import type { Fork, ForkOrigin, Message } from "../../../client/client.ts";

/** Where a chat came from, and which ones came from it and from its origin. */
export interface Relatives {
  origin: ForkOrigin | undefined;
  forks: readonly Fork[];
  forksOfOrigin: readonly Fork[];
}

export const NO_RELATIVES: Relatives = { origin: undefined, forks: [], forksOfOrigin: [] };

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
