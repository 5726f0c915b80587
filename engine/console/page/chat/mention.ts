import type { FileSearchMatch } from "../../../client/client.ts";

/** A file or folder that a message names; the path of a folder ends with `/`. */
export type Mention = Pick<FileSearchMatch, "rootIndex"> & { path: string };

/** The folders whose names go on like a query, then the files that were found for it, at most so many. */
export function mentionsFor(
  query: string,
  files: readonly FileSearchMatch[],
  shownMax: number,
): Mention[] {
  const folders = new Map<string, Mention>();
  for (const { rootIndex, relativePath } of files) {
    const parts = relativePath.split("/").slice(0, -1);
    for (const [at, name] of parts.entries()) {
      const path = `${parts.slice(0, at + 1).join("/")}/`;
      const isNamed = `${name}/`.toLowerCase().startsWith(query.toLowerCase());
      if (isNamed || path.toLowerCase() === query.toLowerCase()) {
        folders.set(`${rootIndex} ${path}`, { rootIndex, path });
      }
    }
  }
  const shown = [...folders.values()].slice(0, shownMax / 2);
  const found = files.map(({ rootIndex, relativePath }) => ({ rootIndex, path: relativePath }));
  return [...shown, ...found].slice(0, shownMax);
}

/** The beginning of a name behind the last `@` before the caret; undefined if none is being typed. */
export function mentionAt(text: string, caret: number): string | undefined {
  return /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret))?.[1];
}

/** A text with the name that was being typed replaced by a path, and where the caret is then. */
export function withMention(text: string, caret: number, path: string): [string, number] {
  const before = `${text.slice(0, text.lastIndexOf("@", caret - 1) + 1)}${path} `;
  return [before + text.slice(caret).trimStart(), before.length];
}

/** The files and folders that a text still names, as a turn takes them. */
export function mentionsIn(text: string, mentions: readonly Mention[]) {
  const named = mentions.filter(({ path }) => text.includes(`@${path}`));
  return named.map(({ rootIndex, path }) =>
    path.endsWith("/")
      ? { rootIndex, path: path.slice(0, -1), label: `the folder ${path}` }
      : { rootIndex, path },
  );
}
