import { CELL_CHARACTERS_MAX, SHARED_TEXT_CHARACTERS_MAX } from "../limits.ts";
import type { MarkupHandler } from "./markup.ts";

/** The texts that the cells of a workbook refer to by number. */
export class SharedTexts implements MarkupHandler {
  readonly #texts: string[] = [];
  #left = SHARED_TEXT_CHARACTERS_MAX;
  #text = "";
  #isText = false;
  /** How the text is spoken, in Japanese. */
  #isPhonetic = false;

  /** Empty if there is none. */
  at(number: number): string {
    return this.#texts[number] ?? "";
  }

  open(name: string): void {
    if (name === "si") this.#text = "";
    else if (name === "t") this.#isText = true;
    else if (name === "rPh") this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === "t") this.#isText = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "si") {
      this.#texts.push(this.#text);
      // An empty text takes memory, too.
      this.#left -= this.#text.length + 1;
    }
  }

  text(text: string): void {
    if (!this.#isText || this.#isPhonetic) return;
    this.#text += text.slice(0, CELL_CHARACTERS_MAX - this.#text.length);
  }

  isDone(): boolean {
    return this.#left <= 0;
  }
}
