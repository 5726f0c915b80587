import { TOOL_READ_BYTES } from "../limits.ts";
import { type Passage, ToolResult } from "./builtin.ts";

/** What the frame of a result takes beside its entries: names, counts and a sentence. */
const FRAME_BYTES = 256;

/** The bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** How many of the entries, from the first on, fit into so many bytes of JSON. */
export function countFitting(entries: readonly unknown[], resultBytesMax: number): number {
  let left = resultBytesMax - FRAME_BYTES;
  const over = entries.findIndex((entry) => {
    left -= jsonBytes(entry) + 1;
    return left < 0;
  });
  return over < 0 ? entries.length : over;
}

/** A list in a result: the entries that fit, with a sentence if these are not all. */
export function toListResult(
  name: string,
  entries: readonly unknown[],
  { rest, resultBytesMax }: { rest?: object; resultBytesMax: number },
): ToolResult {
  const count = countFitting(entries, resultBytesMax);
  const missing = entries.length - count;
  const shown = { [name]: entries.slice(0, count), ...rest };
  if (missing === 0) return new ToolResult(shown, {});
  const what = `${missing} of ${entries.length} ${name}`;
  const note = `The context window has no room for ${what}. Ask for less.`;
  return new ToolResult({ ...shown, note }, { leftOut: what });
}

/** A page of a text: how many characters it shows, and whether it is shorter than it would be in a larger window. */
export function pageOf(text: string, resultBytesMax: number): { length: number; isCut: boolean } {
  const room = Math.max(0, resultBytesMax - FRAME_BYTES);
  const length = pageLength(text, Math.min(TOOL_READ_BYTES, room));
  return { length, isCut: room < TOOL_READ_BYTES && length < text.length };
}

/** Whole lines within so many bytes of JSON; a longer line is cut inside, after one character at least. */
function pageLength(text: string, bytesMax: number): number {
  let fits = 0;
  let over = Math.min(text.length, bytesMax) + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (jsonBytes(text.slice(0, middle)) <= bytesMax) fits = middle;
    else over = middle;
  }
  if (fits === text.length) return fits;
  const lines = fits === 0 ? 0 : text.lastIndexOf("\n", fits - 1) + 1;
  if (lines > 0) return lines;
  const isHalf = /[\ud800-\udbff]/.test(text[fits - 1] ?? "");
  const first = (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1;
  return Math.max(isHalf ? fits - 1 : fits, first);
}

/** The sentence of a page that is cut. */
export const PAGE_CUT = "The context window has no room for more now. Go on at next_offset.";

/** The lines that a tool read of a file; without `text`, they are not known. */
export function toReadPassage(
  place: Pick<Passage, "rootIndex" | "path">,
  text: { before: string; content: string } | undefined,
): Passage {
  const startLine = text ? text.before.split("\n").length : null;
  const lines = text ? text.content.replace(/\n$/, "").split("\n").length : 0;
  const endLine = startLine === null ? null : startLine + lines - 1;
  return { ...place, startLine, endLine, from: "read", sensitive: false };
}
