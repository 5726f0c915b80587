import type { TextKind } from "./kind.ts";

const TITLE_CHARACTERS_MAX = 200;
const HEAD_CHARACTERS = 4_000;
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** What a document calls itself: its first heading, or a short first line that more text follows. Code has none. */
export function titleOf(text: string, kind: TextKind): string {
  if (kind === "code") return "";
  const head = text.slice(0, HEAD_CHARACTERS);
  const frontMatter = kind === "markdown" ? FRONT_MATTER.exec(head) : null;
  const named = /^title:\s*["']?(.+?)["']?\s*$/m.exec(frontMatter?.[1] ?? "")?.[1];
  if (named) return named.slice(0, TITLE_CHARACTERS_MAX);
  const body = head.slice(frontMatter?.[0].length ?? 0);
  const heading = kind === "markdown" ? /^#{1,6}\s+(.+?)\s*#*\s*$/m.exec(body)?.[1] : undefined;
  return heading ? heading.slice(0, TITLE_CHARACTERS_MAX) : firstLine(body);
}

function firstLine(body: string): string {
  const [first = "", rest = ""] = body.trimStart().split(/\r?\n([\s\S]*)/, 2);
  const isTitle = first.length <= TITLE_CHARACTERS_MAX && rest.trim() !== "";
  return isTitle ? first.trim() : "";
}
