import { parseHeading } from "./heading.ts";
import type { TextKind } from "./kind.ts";

const TITLE_CHARACTERS_MAX = 200;
const HEAD_CHARACTERS = 4_000;
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** The title of a document: its first heading, or a short first line with text below it. Code has none. */
export function titleOf(text: string, kind: TextKind): string {
  if (kind === "code") return "";
  const head = text.slice(0, HEAD_CHARACTERS);
  const frontMatter = kind === "markdown" ? FRONT_MATTER.exec(head) : null;
  const named = findNamed(frontMatter?.[1] ?? "");
  if (named) return named.slice(0, TITLE_CHARACTERS_MAX);
  const body = head.slice(frontMatter?.[0].length ?? 0);
  const heading = kind === "markdown" ? findHeading(body) : undefined;
  return heading ? heading.slice(0, TITLE_CHARACTERS_MAX) : firstLine(body);
}

/** A title that the document itself names, as one line of the usual length. */
export function cutTitle(title: string): string {
  return title.slice(0, HEAD_CHARACTERS).replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS_MAX);
}

// The title of a front matter, without its quotes.
function findNamed(frontMatter: string): string | undefined {
  const line = linesOf(frontMatter).find((found) => found.startsWith("title:"));
  const value = line?.slice("title:".length).trim() ?? "";
  return value.replace(/^["']/, "").replace(/["']$/, "") || undefined;
}

function findHeading(body: string): string | undefined {
  for (const line of linesOf(body)) {
    const heading = parseHeading(line);
    if (heading) return heading.title;
  }
  return undefined;
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

function firstLine(body: string): string {
  const [first = "", rest = ""] = body.trimStart().split(/\r?\n([\s\S]*)/, 2);
  const isTitle = first.length <= TITLE_CHARACTERS_MAX && rest.trim() !== "";
  return isTitle ? first.trim() : "";
}
