import { TITLE_CHARACTERS_MAX } from "../limits.ts";

const TITLE_OF_BLANK_TEXT = "New conversation";

/** The title of an implicit thread: white space collapsed, cut at 60 code points (Engine §3, turn ordering 2). */
export function toTitle(text: string): string {
  // U+0000 counts as white space: no column gives it back.
  const normal = text.replace(/[\s\0]+/g, " ").trim();
  if (normal === "") return TITLE_OF_BLANK_TEXT;
  // No code point is longer than two units, so this much is enough to cut from.
  const start = Array.from(normal.slice(0, TITLE_CHARACTERS_MAX * 2));
  return start.slice(0, TITLE_CHARACTERS_MAX).join("");
}
