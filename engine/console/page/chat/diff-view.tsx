import { useState } from "preact/hooks";
import { Button } from "../ui/action.tsx";
import { formatNumber } from "../ui/format.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import type { DiffLine } from "./diff.ts";
import { DIFF_LINES_SHOWN_MAX } from "./limits.ts";
import { toVisible } from "./visible.ts";

const MARKS = { same: " ", added: "+", removed: "−" } as const;
const NAMES = { same: "", added: "added: ", removed: "removed: " } as const;

/** Lines with what is added and removed. A mark says so, too, not the colour alone. */
export function DiffView({ lines }: { lines: readonly DiffLine[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? lines : lines.slice(0, DIFF_LINES_SHOWN_MAX);
  const rest = lines.length - shown.length;
  return (
    <>
      <Scrollable label="Changes" class="diff">
        {shown.map((line, at) =>
          line.kind === "gap" ? (
            <div key={at} class="gap">
              {formatNumber(line.count)} equal {line.count === 1 ? "line" : "lines"}
            </div>
          ) : (
            <div key={at} class={line.kind}>
              <span aria-hidden="true">{MARKS[line.kind]}</span>
              <span class="visually-hidden">{NAMES[line.kind]}</span>
              {toVisible(line.text.replace(/\n$/, ""))}
            </div>
          ),
        )}
      </Scrollable>
      {rest > 0 && (
        <Button class="quiet" onClick={() => setShowsAll(true)}>
          Show {formatNumber(rest)} more lines
        </Button>
      )}
    </>
  );
}
