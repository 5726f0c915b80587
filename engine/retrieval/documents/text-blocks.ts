import { DOCUMENT_TEXT_CHARACTERS_MAX } from "../limits.ts";

/** As chunks count lines. */
export const LINE_END = /\r\n|\r|\n/;

/** Builds the text of a document from its blocks, up to the index's limit: what comes after it is dropped. */
export class TextBlocks {
  readonly #lines: string[] = [];
  readonly #numbers: number[] = [];
  #line = "";
  #number = 0;
  /** The prefix of the next line. */
  #prefix = "";
  /** Of the line: looking at its end would copy it each time. */
  #endsBlank = true;
  #bars = 0;
  #isBlankDue = false;
  #left: number;

  constructor(charactersMax = DOCUMENT_TEXT_CHARACTERS_MAX) {
    this.#left = charactersMax;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** The characters that still fit. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Adds text to the line; each run of blanks is one. `number` is its line in the file, 0 if that is not known. */
  add(text: string, number = 0): void {
    const flowing = text.slice(0, this.left).replace(/\s+/g, " ");
    this.#append(this.#endsBlank ? flowing.trimStart() : flowing, number);
  }

  /** Adds text with its blanks and lines. */
  addAsIs(text: string, number = 0): void {
    const lineOf = (at: number) => (number === 0 ? 0 : number + at);
    const [first = "", ...rest] = text.slice(0, this.left).split(LINE_END);
    this.#append(first, number);
    rest.forEach((line, at) => {
      if (this.#line === "") this.#beginLine(lineOf(at));
      this.#end();
      this.#append(line, lineOf(at + 1));
    });
  }

  /** Puts a bar between what stands in the line and what follows in it; nothing at an end of the line. */
  separate(times = 1): void {
    if (this.#line !== "") this.#bars += times;
  }

  break(): void {
    if (this.#line.trim() !== "") this.#end();
    this.#line = "";
    this.#endsBlank = true;
    this.#bars = 0;
  }

  /** Ends the line, and leaves one empty before the next. */
  blank(): void {
    this.break();
    this.#prefix = "";
    this.#isBlankDue = true;
  }

  /** Begins a block whose first line has this in front. */
  begin(prefix: string): void {
    this.break();
    this.#prefix = prefix;
  }

  finish(): { text: string; lines: number[] } {
    this.break();
    return { text: this.#lines.join("\n"), lines: this.#numbers };
  }

  #append(text: string, number: number): void {
    const isDropped = text === "" || (this.#bars > 0 && text.trim() === "");
    if (isDropped || this.isFull) return;
    if (this.#line === "") {
      this.#beginLine(number);
      this.#extend(this.#prefix);
      this.#prefix = "";
    }
    if (this.#bars > 0) this.#extend((this.#endsBlank ? "" : " ") + "| ".repeat(this.#bars));
    this.#bars = 0;
    this.#extend(text);
    this.#endsBlank = text.endsWith(" ");
  }

  #extend(text: string): void {
    const fitting = text.slice(0, this.left);
    this.#line += fitting;
    this.#left -= fitting.length;
  }

  #beginLine(number: number): void {
    this.#number = number || this.#number;
    if (this.#isBlankDue && this.#lines.length > 0) this.#push("", this.#number);
    this.#isBlankDue = false;
  }

  #end(): void {
    this.#push(this.#line.trimEnd(), this.#number);
    this.#line = "";
    this.#endsBlank = true;
    this.#bars = 0;
  }

  #push(line: string, number: number): void {
    this.#lines.push(line);
    this.#numbers.push(number);
    this.#left -= 1;
  }
}
