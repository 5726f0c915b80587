import type { Token, Tokens } from "marked";
import { withoutTrailing } from "../../../../../shared/without-trailing.ts";
import { BLOCK_CHARACTERS_MAX } from "../limits.ts";
import { lex } from "./lexer.ts";
import { piecesOf } from "./pieces.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const FENCE_END = /\n {0,3}([`~]{3,}) *(?=\n|$)/g;

/** A block of a message as it is written. */
export interface Block {
  /** The offset in the text. */
  at: number;
  source: string;
  /** Whether it is a part of a line that is too long for marks. */
  isPlain: boolean;
  /** Of a later part of a long table: the first two lines of the table, else "". */
  header: string;
}

/** The text of a message, and its blocks. */
export interface BlockText {
  text: string;
  blocks: readonly Block[];
}

export const NO_TEXT: BlockText = { text: "", blocks: [] };

/** Splits a text into blocks. If it begins with the one before, only the last two blocks of that are read again. */
export function readBlocks(written: string, before = NO_TEXT): BlockText {
  const text = written.replace(/\r\n?/g, "\n");
  const known = text.startsWith(before.text) ? before.blocks : [];
  // An incomplete last line may turn out to belong to the block before it.
  const [from] = known.slice(-2);
  return { text, blocks: [...known.slice(0, -2), ...readFrom(text, from)] };
}

/** All tokens of a block. */
export function tokensOf({ source, header, isPlain }: Block): Token[] {
  return isPlain ? [{ type: "plain", raw: source }] : lex(header + source, true);
}

/**
 * The blocks of a text from the beginning of `from`, else from its own. The lexer reads a window of bounded length at a time.
 * The last block of a window may go on behind it, so the next window begins there. A block that fills its window is cut.
 */
function readFrom(text: string, from: Block | undefined): Block[] {
  const blocks: Block[] = [];
  let header = from?.header ?? "";
  for (let at = from?.at ?? 0; at < text.length; ) {
    const lineEnd = text.indexOf("\n", at) + 1 || text.length;
    if (lineEnd - at > BLOCK_CHARACTERS_MAX || (at === from?.at && from.isPlain)) {
      for (const source of piecesOf(text.slice(at, lineEnd), BLOCK_CHARACTERS_MAX)) {
        blocks.push({ at, source, isPlain: true, header: "" });
        at += source.length;
      }
      header = "";
      continue;
    }
    const start = at;
    const window = windowAt(text, at);
    const tokens = lex(header + window, false);
    const isLast = at + window.length === text.length;
    const openToken = tokens.findLastIndex(({ type }) => type !== "space");
    const isCut = !isLast && openToken === 0;
    let end = at - header.length;
    for (const token of isLast ? tokens : tokens.slice(0, Math.max(openToken, 1))) {
      end += isCut ? cutLength(token, text.slice(at)) : token.raw.length;
      const source = withoutTrailing(text.slice(at, end), "\n");
      if (token.type !== "space" && source !== "") {
        blocks.push({ at, source, isPlain: false, header });
      }
      header = isCut && token.type === "table" ? header || tableHeader(token.raw) : "";
      at = Math.max(at, end);
    }
    // The table had ended: what follows is read without its header.
    if (at === start) header = "";
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
