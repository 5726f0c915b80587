import type { TextKind } from "./kind.ts";

const TITLE_CHARACTERS_MAX = 200;
const HEAD_CHARACTERS = 4_000;
// The part of a line that is checked for a heading.
const HEADING_LINE_CHARACTERS_MAX = 1_000;
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** The title of a document: its first heading, or a short first line with text below it. Code has none. */
export function titleOf(text: string, kind: TextKind): string {
  if (kind === "code") return "";
  const head = text.slice(0, HEAD_CHARACTERS);
  const frontMatter = kind === "markdown" ? FRONT_MATTER.exec(head) : null;
  const named = findNamed(frontMatter?.[1] ?? "");
  if (named) return named.slice(0, TITLE_CHARACTERS_MAX);
  const body = head.slice(frontMatter?.[0].length ?? 0);
  const heading = kind === "markdown" ? linesOf(body).map(parseHeading).find(Boolean) : undefined;
  return heading ? heading.title.slice(0, TITLE_CHARACTERS_MAX) : firstLine(body);
}

/** A title that the document itself names, as one line of the usual length. */
export function cutTitle(title: string): string {
  return title.slice(0, HEAD_CHARACTERS).replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS_MAX);
}

/** A Markdown heading with its level and its title, without the marks around it; undefined for any other line. */
export function parseHeading(line: string): { level: number; title: string } | undefined {
  const head = line.slice(0, HEADING_LINE_CHARACTERS_MAX);
  const level = /^#{1,6}(?=\s)/.exec(head)?.[0].length;
  if (level === undefined) return undefined;
  const text = head.slice(level).trim();
  if (text === "" || /[\r\n\u2028\u2029]/.test(text)) return undefined;
  let end = text.length;
  while (end > 1 && text[end - 1] === "#") end -= 1;
  return { level, title: text.slice(0, end).trimEnd() };
}

// The title of a front matter, without its quotes.
function findNamed(frontMatter: string): string | undefined {
  const line = linesOf(frontMatter).find((found) => found.startsWith("title:"));
  const value = line?.slice("title:".length).trim() ?? "";
  return value.replace(/^["']/, "").replace(/["']$/, "") || undefined;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

function firstLine(body: string): string {
  const [first = "", rest = ""] = body.trimStart().split(/\r?\n([\s\S]*)/, 2);
  const isTitle = first.length <= TITLE_CHARACTERS_MAX && rest.trim() !== "";
  return isTitle ? first.trim() : "";
}
