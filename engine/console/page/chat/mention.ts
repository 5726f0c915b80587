import type { FileSearchMatch } from "../../../client/client.ts";

/** A file that a message names. */
export type Mention = Pick<FileSearchMatch, "rootIndex"> & { path: string };

/** The beginning of a name behind the last `@` before the caret; undefined if none is being typed. */
export function mentionAt(text: string, caret: number): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret))?.[1];
}

/** A text with the name that was being typed replaced by a path, and where the caret is then. */
export function withMention(text: string, caret: number, path: string): [string, number] {
  const before = `${text.slice(0, text.lastIndexOf("@", caret - 1) + 1)}${path} `;
  return [before + text.slice(caret).trimStart(), before.length];
}

/** The files that a text still names. */
export function mentionsIn(text: string, mentions: readonly Mention[]): Mention[] {
  return mentions.filter(({ path }) => text.includes(`@${path}`));
}
