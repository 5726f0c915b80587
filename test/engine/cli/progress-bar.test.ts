import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createProgressBar } from "../../../engine/cli/progress-bar.ts";

const CLEAR_LINE = "\r\u001b[K";

/** What a bar writes on a terminal of that width. */
function bar(done: number, total: number | null, columns: number | undefined): string {
  let written = "";
  const writeError = (text: string) => {
    written += text;
  };
  const input = process.stdin;
  const isTerminal = { isInteractive: true, isInputTerminal: true };
  const terminal = { columns, writeError, write() {}, input, ...isTerminal };
  createProgressBar(terminal, true).show({ phase: "reading", done, total });
  return written.startsWith(CLEAR_LINE) ? written.slice(CLEAR_LINE.length) : written;
}

describe("a progress bar", () => {
  const table: [what: string, shown: string, expected: string][] = [
    ["counts where the total is unknown", bar(1234, null, 80), "reading    1,234"],
    ["begins empty", bar(0, 4, 60), `reading    [${"-".repeat(31)}]   0 %  0 of 4`],
    ["is full at the end", bar(4, 4, 60), `reading    [${"#".repeat(31)}] 100 %  4 of 4`],
    ["never passes its end", bar(9, 4, 60), `reading    [${"#".repeat(31)}] 100 %  9 of 4`],
    ["has no bar on a narrow terminal", bar(1, 4, 30), "reading     25 %  1 of 4"],
    ["counts where there is nothing to do", bar(0, 0, 80), "reading    0"],
  ];
  for (const [what, shown, expected] of table) {
    it(what, () => assert.equal(shown, expected));
  }

  it("is shorter than the line, at any width", () => {
    for (let columns = 1; columns <= 200; columns += 1) {
      for (const total of [null, 0, 7, 123_456_789]) {
        const { length } = bar(7, total, columns);
        assert.ok(length < columns, `${length} of ${columns}`);
      }
    }
  });

  it("writes nothing where no terminal shows it", () => {
    assert.equal(bar(1, 2, undefined), "");
  });
});
