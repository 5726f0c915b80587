/** Mathematics in a line of Markdown. */
export interface MathToken {
  type: "math";
  raw: string;
  /** TeX. */
  text: string;
  /** Whether it stands alone. */
  isBlock: boolean;
}

const DELIMITERS = [
  ["$$", "$$", true],
  ["\\[", "\\]", true],
  ["\\(", "\\)", false],
  ["$", "$", false],
] as const;

/** The mathematics at the beginning of a text; undefined if there is none. Amounts of money are none. */
export function readMath(source: string): MathToken | undefined {
  for (const [open, close, isBlock] of DELIMITERS) {
    if (!source.startsWith(open)) continue;
    const end = source.indexOf(close, open.length);
    const text = source.slice(open.length, Math.max(end, 0));
    if (end === -1 || text.trim() === "") continue;
    const raw = source.slice(0, end + close.length);
    if (open === "$" && !isInline(text, source.charAt(raw.length))) continue;
    return { type: "math", raw, text, isBlock };
  }
  return undefined;
}

/** Between single dollars: no space at its edges, no line break, and no digit behind. */
function isInline(text: string, next: string): boolean {
  return text.trim() === text && !text.includes("\n") && !/\d/.test(next);
}
