import { CELL_CHARACTERS_MAX, EMPTY_CELLS_SHOWN_MAX } from "../limits.ts";
import type { CellFormats } from "./cell-formats.ts";
import type { MarkupHandler } from "./markup.ts";
import type { SharedTexts } from "./shared-texts.ts";
import type { TextBlocks } from "./text-blocks.ts";

const LETTERS = 26;
const NUMBER_DIGITS = 15;

/** Writes the rows of a sheet as lines: the stored values of its cells, with a bar between columns. */
export class SheetRows implements MarkupHandler {
  readonly #blocks: TextBlocks;
  readonly #shared: SharedTexts;
  readonly #formats: CellFormats;
  /** The columns of this cell and of the last one in its row that is not empty. */
  #column = 0;
  #last = 0;
  #type = "";
  #style = 0;
  #value = "";
  #isValue = false;
  #isPhonetic = false;

  constructor(blocks: TextBlocks, of: { shared: SharedTexts; formats: CellFormats }) {
    this.#blocks = blocks;
    this.#shared = of.shared;
    this.#formats = of.formats;
  }

  open(name: string, { r = "", t = "", s = "" }: Readonly<Record<string, string>>): void {
    if (name === "row") {
      this.#blocks.break();
      this.#column = 0;
      this.#last = 0;
    } else if (name === "c") {
      this.#column = columnOf(r) ?? this.#column + 1;
      this.#type = t;
      this.#style = Number(s);
      this.#value = "";
    } else if (name === "v" || name === "t") this.#isValue = true;
    else if (name === "rPh") this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#isValue = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "c") this.#addCell();
  }

  text(text: string): void {
    if (!this.#isValue || this.#isPhonetic) return;
    this.#value += text.slice(0, CELL_CHARACTERS_MAX - this.#value.length);
  }

  isDone(): boolean {
    return this.#blocks.isFull;
  }

  #addCell(): void {
    const shown = this.#shown();
    if (shown === "") return;
    const empty = Math.max(0, this.#column - this.#last - 1);
    this.#blocks.separate(1 + Math.min(empty, EMPTY_CELLS_SHOWN_MAX));
    this.#blocks.addAsIs(shown);
    this.#last = this.#column;
  }

  // In one line.
  #shown(): string {
    switch (this.#type) {
      case "s":
        return asLine(this.#shared.at(Number(this.#value)));
      case "b":
        return this.#value === "1" ? "TRUE" : "FALSE";
      case "":
      case "n":
        return this.#formats.dateOf(this.#value, this.#style) ?? numberOf(this.#value);
      default:
        return asLine(this.#value);
    }
  }
}

function asLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// As a person knows it: 0.3, not 0.30000000000000004.
function numberOf(value: string): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) return asLine(value);
  return String(Number(number.toPrecision(NUMBER_DIGITS)));
}

// `AB12` is in column 28.
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * LETTERS + letter.charCodeAt(0) - 64;
  return column;
}
