import { isJsonObject, parseJson } from "../../../../shared/json.ts";
import { DRAFT_CHARACTERS_MAX, DRAFTS_MAX } from "./limits.ts";

const DRAFTS_KEY = "roundhouse.drafts";

/** What was typed and not sent, by its chat, or by the workspace of a new one. This browser keeps it over restarts. */
export function readDraft(key: string): string {
  return read()[key] ?? "";
}

/** Keeps a draft; an empty one goes, and so does the oldest of too many. */
export function writeDraft(key: string, text: string): void {
  const { [key]: _, ...others } = read();
  const kept = Object.entries(text === "" ? others : { ...others, [key]: text });
  const drafts = Object.fromEntries(kept.slice(-DRAFTS_MAX));
  if (text.length > DRAFT_CHARACTERS_MAX) return;
  localStorage.setItem(DRAFTS_KEY, JSON.stringify(drafts));
}

function read(): Record<string, string> {
  const kept = parseJson(localStorage.getItem(DRAFTS_KEY));
  return isJsonObject(kept) ? (kept as Record<string, string>) : {};
}
