import { Lexer, type Token } from "marked";
import { BLOCK_DEPTH_MAX, INLINE_CHARACTERS_MAX, INLINE_DEPTH_MAX } from "../limits.ts";
import { piecesOf } from "./pieces.ts";

/** Mathematics in a line of Markdown. */
export interface MathToken {
  type: "math";
  raw: string;
  /** TeX. */
  text: string;
  /** Whether it stands alone. */
  isBlock: boolean;
}

const OPTIONS = {
  gfm: true,
  breaks: true,
  extensions: {
    inline: [readMath],
    startInline: [(src: string) => src.search(/[$\\]/)],
    renderers: {},
    childTokens: {},
  },
};

/** The blocks of a text; if it `isWhole`, with what stands in their lines. Text that the lexer cannot read is plain. */
export function lex(source: string, isWhole: boolean): Token[] {
  const lexer = new BoundedLexer(OPTIONS);
  try {
    return isWhole ? lexer.lex(source) : lexer.blockTokens(source);
  } catch {
    return [{ type: "plain", raw: source }];
  }
}

/**
 * A lexer whose time and depth are bounded: what is nested too deep is text, and a long run of text is read in pieces. It knows
 * definitions of links only in their own block.
 */
class BoundedLexer extends Lexer {
  #blockDepth = 0;
  #inlineDepth = 0;

  override blockTokens<List extends Token[]>(
    src: string,
    tokens = [] as unknown as List,
    isClipped = false,
  ): List {
    if (this.#blockDepth >= BLOCK_DEPTH_MAX) {
      this.state.top = true;
      tokens.push({ type: "paragraph", raw: src, text: src, tokens: this.inline(src) });
      return tokens;
    }
    this.#blockDepth += 1;
    super.blockTokens(src, tokens, isClipped);
    this.#blockDepth -= 1;
    return tokens;
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#inlineDepth >= INLINE_DEPTH_MAX) {
      tokens.push({ type: "text", raw: src, text: src });
      return tokens;
    }
    this.#inlineDepth += 1;
    for (const piece of piecesOf(src, INLINE_CHARACTERS_MAX)) super.inlineTokens(piece, tokens);
    this.#inlineDepth -= 1;
    return tokens;
  }
}

const DELIMITERS = [
  ["$$", "$$", true],
  ["\\[", "\\]", true],
  ["\\(", "\\)", false],
  ["$", "$", false],
] as const;

/** The mathematics at the beginning of a text; undefined if there is none. Amounts of money are none. */
function readMath(source: string): MathToken | undefined {
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
