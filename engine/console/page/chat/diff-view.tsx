import { useMemo } from "preact/hooks";
import { toVisible } from "../../../visible.ts";
import { useMore } from "../ui/action.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { diffLines } from "./diff.ts";
import { DIFF_LINES_SHOWN_MAX } from "./limits.ts";

/** What a line's mark shows, says and looks like. */
const MARKS: Readonly<Record<string, readonly [shown: string, said: string, name: string]>> = {
  "+": ["+", "added: ", "added"],
  "-": ["−", "removed: ", "removed"],
  "@": ["", "", "gap"],
  "\\": ["", "", "gap"],
};

/** What a change adds to a text and removes from it. A mark says so, too, not the colour alone. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const [shownMax, more] = useMore(DIFF_LINES_SHOWN_MAX, lines.length, "lines ");
  if (lines.length === 0) return <p class="muted">The text does not change.</p>;
  return (
    <>
      <Scrollable label="Changes" class="diff">
        {lines.slice(0, shownMax).map((line, at) => {
          const [shown, said, name] = MARKS[line.charAt(0)] ?? [" ", "", "same"];
          return (
            <div key={at} class={name}>
              <span aria-hidden="true">{shown}</span>
              <span class="visually-hidden">{said}</span>
              {line.startsWith("@") ? `Line ${line.slice(1)}` : toVisible(line.slice(1))}
            </div>
          );
        })}
      </Scrollable>
      {more}
    </>
  );
}
