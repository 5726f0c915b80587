import { AVATAR_URL_CHARACTERS_MAX, DISPLAY_NAME_CHARACTERS_MAX } from "../limits.ts";
import { toOneLine } from "../one-line.ts";

/** A display name of one line and bounded length, or undefined. */
export function toDisplayName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = toOneLine(value);
  return [...name].slice(0, DISPLAY_NAME_CHARACTERS_MAX).join("").toWellFormed() || undefined;
}

/** The https address of a picture, or undefined. */
export function toAvatarUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > AVATAR_URL_CHARACTERS_MAX) return undefined;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" ? url.href : undefined;
}
