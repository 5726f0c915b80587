import { AVATAR_URL_CHARACTERS_MAX, DISPLAY_NAME_CHARACTERS_MAX } from "../limits.ts";

/** A name to show, or undefined: one line, bounded, whatever the provider sends. */
export function toDisplayName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return [...name].slice(0, DISPLAY_NAME_CHARACTERS_MAX).join("").toWellFormed() || undefined;
}

/** The address of a picture, or undefined: https alone. */
export function toAvatarUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > AVATAR_URL_CHARACTERS_MAX) return undefined;
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" ? url.href : undefined;
}
