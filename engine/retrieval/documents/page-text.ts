import { DOCUMENT_TITLE_CHARACTERS_MAX } from "../limits.ts";
import elements from "./html-blocks.json" with { type: "json" };
import { attributeOf, type MarkupHandler } from "./markup.ts";
import { LINE_END, TextBlocks } from "./text-blocks.ts";

const PARAGRAPHS = new Set(elements.paragraphs);
const LINES = new Set(elements.lines);
const CELLS = new Set(["td", "th"]);
const HEADING = /^h[1-6]$/;

/** Makes text of the elements of a web page: headings and lists with the marks of Markdown, cells of a row in one line. */
export class PageText implements MarkupHandler {
  readonly hidden = new Set(["script", "style", "template", "noscript", "svg"]);
  readonly #blocks: TextBlocks;
  readonly #lineAt: ((offset: number) => number) | undefined;
  #title: string | undefined;
  #preformatted = 0;
  /** Whether the last thing was the fence of a preformatted text. */
  #isFenced = false;
  #inTitle = false;
  /** Inside a heading or a cell a new line of the source is a blank. */
  #inline = 0;

  /** `lineAt` gives the line of an offset, if lines of the source are kept; without it they are joined. */
  constructor(lineAt?: (offset: number) => number, blocks = new TextBlocks()) {
    this.#lineAt = lineAt;
    this.#blocks = blocks;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "title" && this.#title === undefined) {
      this.#title = "";
      this.#inTitle = true;
    }
    this.#beginBlock(name);
    if (name === "img") this.#blocks.add(` ${attributeOf(attributes, "alt") ?? ""} `);
    if (name === "pre") {
      this.#blocks.addAsIs(FENCE);
      this.#blocks.break();
      this.#preformatted += 1;
      this.#isFenced = true;
    }
    if (HEADING.test(name) || CELLS.has(name)) this.#inline += 1;
  }

  close(name: string): void {
    if (name === "title") this.#inTitle = false;
    if (HEADING.test(name) || CELLS.has(name)) this.#inline -= 1;
    if (name === "pre") {
      this.#preformatted -= 1;
      this.#blocks.break();
      this.#blocks.addAsIs(FENCE);
    }
    if (PARAGRAPHS.has(name) || HEADING.test(name)) this.#blocks.blank();
    else if (LINES.has(name) || name === "li") this.#blocks.break();
  }

  text(text: string, at: number): void {
    if (this.#inTitle) {
      this.#title = ((this.#title ?? "") + text).slice(0, DOCUMENT_TITLE_CHARACTERS_MAX);
      return;
    }
    const line = this.#lineAt?.(at) ?? 0;
    if (this.#preformatted > 0) this.#addPreformatted(text, line);
    else if (this.#lineAt && this.#inline === 0 && text.trim() !== "") {
      this.#addLines(text, line);
    } else this.#blocks.add(text, line);
  }

  isDone(): boolean {
    return this.#blocks.isFull;
  }

  finish(): { title: string; text: string; numbers: number[] } {
    const { text, lines } = this.#blocks.finish();
    return { title: this.#title ?? "", text, numbers: lines };
  }

  #beginBlock(name: string): void {
    if (HEADING.test(name)) {
      this.#blocks.blank();
      this.#blocks.begin(`${"#".repeat(Number(name[1]))} `);
    } else if (PARAGRAPHS.has(name)) this.#blocks.blank();
    else if (name === "li") this.#blocks.begin("- ");
    else if (LINES.has(name)) this.#blocks.break();
    else if (CELLS.has(name)) this.#blocks.separate();
  }

  // A line break right behind the tag is none.
  #addPreformatted(text: string, line: number): void {
    const isBreak = this.#isFenced && /^\r?\n/.test(text);
    this.#isFenced = false;
    if (isBreak) this.#blocks.addAsIs(text.replace(/^\r?\n/, ""), line === 0 ? 0 : line + 1);
    else this.#blocks.addAsIs(text, line);
  }

  #addLines(text: string, line: number): void {
    text.split(LINE_END).forEach((part, at) => {
      if (at > 0) this.#blocks.break();
      this.#blocks.add(part, line + at);
    });
  }
}

const FENCE = "```";
