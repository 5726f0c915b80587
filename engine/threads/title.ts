import { TITLE_CHARACTERS_MAX } from "../limits.ts";

const TITLE_OF_BLANK_TEXT = "New conversation";

/** The title of an implicit thread: white space collapsed, cut at 60 code points (Engine §3, turn ordering 2). */
export function toTitle(text: string): string {
  // U+0000 counts as white space: the driver cuts a column's text there.
  const normal = text.replace(/[\s\0]+/g, " ").trim();
  if (normal === "") return TITLE_OF_BLANK_TEXT;
  // A code point has at most two UTF-16 units, so this prefix holds enough of them.
  const start = Array.from(normal.slice(0, TITLE_CHARACTERS_MAX * 2));
  return start.slice(0, TITLE_CHARACTERS_MAX).join("");
}
