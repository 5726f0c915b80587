import { BLOCK_CHARACTERS_MAX } from "../limits.ts";
import { piecesOf } from "./pieces.ts";

/** A piece of Markdown that means the same alone as in its text. */
export interface TextBlock {
  kind: "text" | "code" | "plain";
  /** Where it begins in the text. */
  at: number;
  /** As it is written; of code its content. */
  source: string;
  /** Of code: what stands behind the fence. */
  language?: string;
  /** Of a part of a long table: its two first lines. */
  header?: string;
}

const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** A number that begins no list behind a line of text. */
const LATER_ITEM = /^ {0,3}(?!1[.)])\d/;
const INDENTED = /^(?: {2,}|\t)/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const TABLE_RULE = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[-:| \t]*)?$/;
/** How much of a line tells what it is. */
const HEAD_CHARACTERS_MAX = 1000;

/** From where a text is split: its beginning, or a block that was the last one before more text came. */
type From = Pick<TextBlock, "at" | "kind" | "header">;

const START: From = { at: 0, kind: "text" };

/**
 * The blocks of a text, in one pass over its lines. A text that grows is split again from its last block alone: blocks before
 * it stay what they are.
 */
export function splitBlocks(text: string, from: From = START): TextBlock[] {
  return new BlockSplitter(text, from).split();
}

interface Line {
  at: number;
  /** Behind its line break. */
  end: number;
  /** Its beginning, without the line break. */
  head: string;
}

interface OpenBlock {
  at: number;
  /** Behind its last line. */
  end: number;
  isList: boolean;
  lines: number;
  /** Of a part of a long table. */
  header: string | undefined;
  /** Of a table: its two first lines. */
  table: string | undefined;
}

class BlockSplitter {
  readonly #text: string;
  readonly #blocks: TextBlock[] = [];
  #at: number;
  #open: OpenBlock | undefined;
  #isAfterBlank = false;
  #isInLongLine: boolean;
  /** What the next block begins with. */
  #header: string | undefined;

  constructor(text: string, { at, kind, header }: From) {
    this.#text = text;
    this.#at = at;
    this.#isInLongLine = kind === "plain";
    this.#header = header;
  }

  split(): TextBlock[] {
    while (this.#at < this.#text.length) {
      const line = this.#lineAt(this.#at);
      this.#at = line.end;
      if (this.#isInLongLine || line.end - line.at > BLOCK_CHARACTERS_MAX) this.#takeLong(line);
      else if (line.head.trim() === "") this.#isAfterBlank = true;
      else if (this.#isFence(line)) this.#takeCode(line);
      else this.#takeText(line);
    }
    this.#close();
    return this.#blocks;
  }

  #lineAt(at: number): Line {
    const found = this.#text.indexOf("\n", at);
    const end = found === -1 ? this.#text.length : found + 1;
    const headEnd = Math.min(found === -1 ? end : found, at + HEAD_CHARACTERS_MAX);
    return { at, end, head: this.#text.slice(at, headEnd) };
  }

  /** A line that is too long for marks is plain text, in pieces. */
  #takeLong({ at, end }: Line): void {
    this.#close();
    for (const source of piecesOf(this.#text.slice(at, end), BLOCK_CHARACTERS_MAX)) {
      this.#blocks.push({ kind: "plain", at, source });
      at += source.length;
    }
    this.#isInLongLine = false;
  }

  #isFence({ head }: Line): boolean {
    const [, fence = "", info = ""] = FENCE.exec(head) ?? [];
    if (fence === "" || (fence.startsWith("`") && info.includes("`"))) return false;
    // In a list it belongs to its item.
    return !(this.#open?.isList && INDENTED.test(head));
  }

  #takeCode({ at, end, head }: Line): void {
    this.#close();
    const [, fence = "", info = ""] = FENCE.exec(head) ?? [];
    let contentEnd = this.#text.length;
    while (this.#at < this.#text.length) {
      const line = this.#lineAt(this.#at);
      this.#at = line.end;
      if (!closes(line.head, fence)) continue;
      contentEnd = line.at;
      break;
    }
    const source = this.#text.slice(end, contentEnd).replace(/\n$/, "");
    this.#blocks.push({ kind: "code", at, source, language: info.trim() });
  }

  #takeText(line: Line): void {
    if (this.#open) {
      const isEnded = this.#isEndedBy(this.#open, line);
      if (!isEnded && isTooLongWith(this.#open, line)) {
        this.#header = this.#open.table;
        this.#close();
      } else if (isEnded) this.#close();
    }
    const open = this.#open ?? this.#begin(line);
    open.lines += 1;
    open.end = line.end;
    if (
      open.lines === 2 &&
      TABLE_RULE.test(line.head) &&
      this.#lineAt(open.at).head.includes("|")
    ) {
      open.table ??= this.#text.slice(open.at, line.end);
    }
    this.#isAfterBlank = false;
  }

  #begin({ at, end, head }: Line): OpenBlock {
    const header = this.#header;
    this.#header = undefined;
    this.#open = { at, end, isList: LIST_ITEM.test(head), lines: 0, header, table: header };
    return this.#open;
  }

  #isEndedBy({ isList }: OpenBlock, { head }: Line): boolean {
    if (HEADING.test(head)) return true;
    const isItem = LIST_ITEM.test(head);
    if (isList) return this.#isAfterBlank && !isItem && !INDENTED.test(head);
    return this.#isAfterBlank || (isItem && !LATER_ITEM.test(head));
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    const { at, header } = open;
    const source = this.#text.slice(at, open.end).replace(/\n$/, "");
    this.#blocks.push({ kind: "text", at, source, ...(header === undefined ? {} : { header }) });
    this.#open = undefined;
  }
}

function isTooLongWith({ at, isList }: OpenBlock, line: Line): boolean {
  // A list is rather cut before one of its items.
  const isItem = isList && LIST_ITEM.test(line.head);
  return line.end - at > (isItem ? BLOCK_CHARACTERS_MAX / 2 : BLOCK_CHARACTERS_MAX);
}

function closes(head: string, fence: string): boolean {
  const [, closing = "", rest = ""] = FENCE.exec(head) ?? [];
  return closing.startsWith(fence) && rest.trim() === "";
}
