import type { Token, Tokens } from "marked";
import { withoutTrailing } from "../../../../../shared/without-trailing.ts";
import { BLOCK_CHARACTERS_MAX } from "../limits.ts";
import { lexBlock, lexBlocks } from "./bounded-lexer.ts";
import { piecesOf } from "./pieces.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const FENCE_END = /\n {0,3}([`~]{3,}) *(?=\n|$)/g;

/** What is written of a block. */
interface BlockSource {
  /** A part of a line that is too long for marks is plain. */
  kind: "markdown" | "plain";
  source: string;
  /** Of a later part of a long table: the first two lines of the table, else "". */
  header: string;
}

/** A block of a message. It stays the same object while its text does not change, and is parsed when it is first shown. */
export class ParsedBlock {
  /** The offset in the text. */
  readonly at: number;
  readonly written: BlockSource;
  #tokens: readonly Token[] | undefined;

  constructor(at: number, written: BlockSource) {
    this.at = at;
    this.written = written;
  }

  /** Undefined if it is shown as it is written. */
  get tokens(): readonly Token[] | undefined {
    const { kind, source, header } = this.written;
    if (kind === "markdown") this.#tokens ??= lexBlock(header + source);
    return this.#tokens;
  }
}

/** The text of a message as blocks. If text is added at its end, only the last two blocks are read again. */
export class MarkdownDocument {
  #text = "";
  #blocks: readonly ParsedBlock[] = [];
  #parsed = 0;

  constructor(text = "") {
    this.setText(text);
  }

  get blocks(): readonly ParsedBlock[] {
    return this.#blocks;
  }

  /** The number of blocks that were made so far, including those that were made again. */
  get parsed(): number {
    return this.#parsed;
  }

  /** Takes the whole text. If it begins with the one before, only its end is read. */
  setText(written: string): void {
    const text = written.replace(/\r\n?/g, "\n");
    // An incomplete last line may turn out to belong to the block before it.
    const redone = text.startsWith(this.#text) ? this.#blocks.slice(-2) : [];
    const unchanged = this.#blocks.slice(0, redone.length === 0 ? 0 : -redone.length);
    this.#text = text;
    const read = readBlocks(text, redone[0]);
    const changed = read.map((block) => redone.find((old) => isSame(block, old)) ?? block);
    this.#parsed += changed.filter((block) => !redone.includes(block)).length;
    this.#blocks = [...unchanged, ...changed];
  }
}

function isSame({ at, written }: ParsedBlock, other: ParsedBlock): boolean {
  const names = ["kind", "source", "header"] as const;
  return at === other.at && names.every((name) => written[name] === other.written[name]);
}

/**
 * The blocks of a text from the beginning of `from`, else from its own. The lexer reads a window of bounded length at a time.
 * The last block of a window may go on behind it, so the next window begins there. A block that fills its window is cut.
 */
function readBlocks(text: string, from: ParsedBlock | undefined): ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let header = from?.written.header ?? "";
  for (let at = from?.at ?? 0; at < text.length; ) {
    const lineEnd = text.indexOf("\n", at) + 1 || text.length;
    if (lineEnd - at > BLOCK_CHARACTERS_MAX || (at === from?.at && from.written.kind === "plain")) {
      for (const source of piecesOf(text.slice(at, lineEnd), BLOCK_CHARACTERS_MAX)) {
        blocks.push(new ParsedBlock(at, { kind: "plain", source, header: "" }));
        at += source.length;
      }
      header = "";
      continue;
    }
    const window = windowAt(text, at);
    const tokens = lexBlocks(header + window);
    const isLast = at + window.length === text.length;
    const openToken = tokens.findLastIndex(({ type }) => type !== "space");
    const isCut = !isLast && openToken === 0;
    let end = at - header.length;
    for (const token of isLast ? tokens : tokens.slice(0, Math.max(openToken, 1))) {
      end += isCut ? cutLength(token, text.slice(at)) : token.raw.length;
      const source = withoutTrailing(text.slice(at, end), "\n");
      if (token.type !== "space" && source !== "") {
        blocks.push(new ParsedBlock(at, { kind: "markdown", source, header }));
      }
      header = isCut && token.type === "table" ? header || tableHeader(token.raw) : "";
      at = Math.max(at, end);
    }
  }
  return blocks;
}

/** Whole lines of bounded length together. */
function windowAt(text: string, at: number): string {
  const end = at + BLOCK_CHARACTERS_MAX;
  return text.slice(at, end < text.length ? text.lastIndexOf("\n", end - 1) + 1 : end);
}

/** A list is cut before its last item, code at its end, however long it is. `rest` is the text from the token on. */
function cutLength(token: Token, rest: string): number {
  if (token.type === "list" && token.items.length > 1) {
    const { items } = token as Tokens.List;
    return items.slice(0, -1).reduce((length, { raw }) => length + raw.length, 0);
  }
  const [, fence] = (token.type === "code" && FENCE.exec(token.raw)) || [];
  if (fence === undefined) return token.raw.length;
  for (const { 0: line, 1: end = "", index } of rest.matchAll(FENCE_END)) {
    if (end.startsWith(fence)) return index + line.length;
  }
  return rest.length;
}

function tableHeader(raw: string): string {
  return raw.split("\n", 2).join("\n").concat("\n");
}
