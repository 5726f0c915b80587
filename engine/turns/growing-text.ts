import { TEXT_BLOCK_CHARACTERS } from "./limits.ts";

/** A text that only grows. It is kept in blocks: a part of it is read without a copy of the whole. */
export class GrowingText {
  readonly #blockLength: number;
  /** All but the last are full. */
  readonly #blocks: string[] = [];
  #length = 0;

  constructor(text = "", blockLength = TEXT_BLOCK_CHARACTERS) {
    this.#blockLength = blockLength;
    this.append(text);
  }

  /** In UTF-16 code units, as a string counts them. */
  get length(): number {
    return this.#length;
  }

  append(text: string): void {
    this.#length += text.length;
    let rest = text;
    while (rest !== "") {
      const last = this.#blocks.at(-1);
      const isFull = last === undefined || last.length === this.#blockLength;
      const taken = rest.slice(0, this.#blockLength - (isFull ? 0 : last.length));
      if (isFull) this.#blocks.push(taken);
      else this.#blocks[this.#blocks.length - 1] = last + taken;
      rest = rest.slice(taken.length);
    }
  }

  /** The text up to `end`, a block at a time. A character of two code units may lie in two of them. */
  *blocks(end: number): Generator<string, void> {
    for (let at = 0; at * this.#blockLength < end; at += 1) {
      yield this.#blocks[at]?.slice(0, end - at * this.#blockLength) ?? "";
    }
  }
}
