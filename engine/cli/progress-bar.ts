import { BAR_CHARACTERS_MAX } from "./limits.ts";
import type { Terminal } from "./terminal.ts";

interface Progress {
  /** What is done now: `reading`. */
  phase: string;
  done: number;
  /** Null until it is known. */
  total: number | null;
}

const CLEAR_LINE = "\r\u001b[K";
const NUMBERS = new Intl.NumberFormat("en");

/** A bar on one line of a terminal. Elsewhere nothing is shown. */
export function createProgressBar(
  { columns, writeError }: Terminal,
  isShown: boolean,
): Disposable & { show(progress: Progress): void } {
  if (!isShown || columns === undefined) return { show() {}, [Symbol.dispose]() {} };
  return {
    show: (progress) => writeError(`${CLEAR_LINE}${renderProgress(progress, columns)}`),
    [Symbol.dispose]: () => writeError(CLEAR_LINE),
  };
}

/** `reading    [########------------]  40 %  400 of 1,000`, shorter than the line. */
function renderProgress({ phase, done, total }: Progress, columns: number): string {
  const label = phase.padEnd(10);
  if (total === null || total <= 0) return cut(`${label} ${NUMBERS.format(done)}`, columns);
  const share = Math.min(1, Math.max(0, done / total));
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  const count = `${NUMBERS.format(done)} of ${NUMBERS.format(total)}`;
  const width = Math.min(
    BAR_CHARACTERS_MAX,
    columns - label.length - percent.length - count.length - 8,
  );
  if (width < 5) return cut(`${label} ${percent}  ${count}`, columns);
  const filled = Math.round(share * width);
  return `${label} [${"#".repeat(filled)}${"-".repeat(width - filled)}] ${percent}  ${count}`;
}

// A line as wide as the terminal would begin a second one.
function cut(text: string, columns: number): string {
  return text.slice(0, Math.max(0, columns - 1));
}
