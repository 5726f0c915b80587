import { structuredPatch } from "diff";
import { DIFF_CHARACTERS_MAX, DIFF_CONTEXT_LINES, DIFF_EDITS_MAX } from "./limits.ts";

const OPTIONS = { context: DIFF_CONTEXT_LINES, maxEditLength: DIFF_EDITS_MAX };

/**
 * The lines around each change of a text, each behind its mark: `+`, `-` or a space; `@12` stands before those from line 12 on, and
 * `\` before a remark. Texts that are too large or differ too much are removed and added whole.
 */
export function diffLines(before: string, after: string): readonly string[] {
  const isSmall = before.length + after.length <= DIFF_CHARACTERS_MAX;
  const patch = isSmall && structuredPatch("", "", before, after, "", "", OPTIONS);
  if (!patch) return [...wholeAs("-", before), ...wholeAs("+", after)];
  return patch.hunks.flatMap(({ oldStart, lines }) =>
    oldStart > 1 ? [`@${oldStart}`, ...lines] : lines,
  );
}

function wholeAs(mark: string, text: string): string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => mark + line);
}
