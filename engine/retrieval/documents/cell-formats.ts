import { CELL_FORMAT_CHARACTERS_MAX, CELL_FORMATS_MAX } from "../limits.ts";
import type { MarkupHandler } from "./markup.ts";

const DAY_SECONDS = 86_400;
// Day 0 of a workbook: Excel takes 1900 for a leap year, so counting begins a day early.
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_FROM_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_465;

/** The styles of a workbook, as far as they make a number a date. */
export class CellFormats implements MarkupHandler {
  readonly #day0: number;
  readonly #codes = new Map<number, string>();
  /** The number format of each style. */
  readonly #styles: number[] = [];
  #isStyles = false;

  constructor({ from1904 }: { from1904: boolean }) {
    this.#day0 = from1904 ? DAY_0_FROM_1904 : DAY_0;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "cellXfs") this.#isStyles = true;
    const id = Number(attributes.numFmtId);
    if (name === "numFmt") {
      this.#codes.set(id, (attributes.formatCode ?? "").slice(0, CELL_FORMAT_CHARACTERS_MAX));
    } else if (name === "xf" && this.#isStyles) this.#styles.push(id);
  }

  close(name: string): void {
    if (name === "cellXfs") this.#isStyles = false;
  }

  isDone(): boolean {
    return this.#codes.size + this.#styles.length >= CELL_FORMATS_MAX;
  }

  /** Date, time or both of a stored number whose style shows one; undefined for any other value. */
  dateOf(value: string, style: number): string | undefined {
    const format = this.#styles[style];
    if (format === undefined || !this.#isDate(format) || value.trim() === "") return undefined;
    const days = Number(value);
    if (!(days >= 0 && days <= LAST_DAY)) return undefined;
    const [date = "", time = ""] = new Date(this.#day0 + Math.round(days * DAY_SECONDS) * 1_000)
      .toISOString()
      .slice(0, -".000Z".length)
      .split("T");
    if (days < 1) return time;
    return Number.isInteger(days) ? date : `${date} ${time}`;
  }

  #isDate(format: number): boolean {
    const code = this.#codes.get(format);
    // Formats that every workbook has: dates, times, and both.
    if (code === undefined) return (format >= 14 && format <= 22) || format === 45 || format === 47;
    // A length of time has its unit in brackets.
    if (/\[[hms]/i.test(code)) return false;
    return /[ymdhs]/i.test(withoutLiterals(code));
  }
}

// Text in quotation marks or brackets, or after a backslash, is shown unchanged.
function withoutLiterals(code: string): string {
  return code.replace(/"[^"]*"?|\[[^\]]*\]?|\\.?/g, "");
}
