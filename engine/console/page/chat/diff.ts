import { diffArrays } from "diff";
import { DIFF_CHARACTERS_MAX, DIFF_CONTEXT_LINES, DIFF_EDITS_MAX } from "./limits.ts";

/** A line of a diff; `gap` stands for so many lines that are the same. */
export type DiffLine =
  | { kind: "same" | "added" | "removed"; text: string }
  | { kind: "gap"; count: number };

/**
 * The difference of two texts, line by line, with some lines around each change. Undefined if they are too large or differ too
 * much: then both are shown whole.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] | undefined {
  if (before.length + after.length > DIFF_CHARACTERS_MAX) return undefined;
  const changes = diffArrays(toLines(before), toLines(after), { maxEditLength: DIFF_EDITS_MAX });
  if (!changes) return undefined;
  const lines = changes.flatMap(({ value, added, removed }) => {
    const kind = added ? "added" : removed ? "removed" : "same";
    return value.map((text) => ({ kind, text }) as const);
  });
  return foldSame(lines);
}

/** All lines of a text as added or removed ones. */
export function wholeAs(kind: "added" | "removed", text: string): readonly DiffLine[] {
  return toLines(text).map((line) => ({ kind, text: line }));
}

function toLines(text: string): string[] {
  if (text === "") return [];
  // A last line without its break differs from one that has it, and is shown so.
  return text.split(/(?<=\n)/);
}

function foldSame(lines: readonly Exclude<DiffLine, { kind: "gap" }>[]): readonly DiffLine[] {
  const isNear = nearChanges(lines.map(({ kind }) => kind !== "same"));
  const folded: DiffLine[] = [];
  for (const [at, line] of lines.entries()) {
    const last = folded.at(-1);
    if (isNear[at]) folded.push(line);
    else if (last?.kind === "gap") folded.splice(-1, 1, { kind: "gap", count: last.count + 1 });
    else folded.push({ kind: "gap", count: 1 });
  }
  return folded;
}

function nearChanges(isChanged: readonly boolean[]): boolean[] {
  const isNear = isChanged.map(() => false);
  for (const [at, changed] of isChanged.entries()) {
    if (!changed) continue;
    isNear.fill(true, Math.max(0, at - DIFF_CONTEXT_LINES), at + DIFF_CONTEXT_LINES + 1);
  }
  return isNear;
}
