import { Lexer, type Token, type TokensList } from "marked";
import { BLOCK_DEPTH_MAX, INLINE_CHARACTERS_MAX, INLINE_DEPTH_MAX } from "../limits.ts";
import { piecesOf } from "./pieces.ts";
import { readMath } from "./read-math.ts";

/**
 * A lexer whose time and depth are bounded: what is nested too deep is text, and a long run of text is read in pieces. It knows
 * definitions of links only in their own block.
 */
class BoundedLexer extends Lexer {
  #blockDepth = 0;
  #inlineDepth = 0;

  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], isClipped = false): Token[] {
    if (this.#blockDepth >= BLOCK_DEPTH_MAX) {
      this.state.top = true;
      tokens.push({ type: "paragraph", raw: src, text: src, tokens: this.inline(src) });
      return tokens;
    }
    this.#blockDepth += 1;
    try {
      return super.blockTokens(src, tokens, isClipped);
    } finally {
      this.#blockDepth -= 1;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#inlineDepth >= INLINE_DEPTH_MAX) {
      tokens.push({ type: "text", raw: src, text: src });
      return tokens;
    }
    this.#inlineDepth += 1;
    try {
      for (const piece of piecesOf(src, INLINE_CHARACTERS_MAX)) super.inlineTokens(piece, tokens);
      return tokens;
    } finally {
      this.#inlineDepth -= 1;
    }
  }
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

/** The blocks of a text, without what stands in their lines. Text that the lexer cannot read is one token. */
export function lexBlocks(source: string): Token[] {
  try {
    return new BoundedLexer(OPTIONS).blockTokens(source);
  } catch {
    return [{ type: "text", raw: source, text: source }];
  }
}

/** All tokens of a block of Markdown; undefined if the lexer cannot read it. */
export function lexBlock(source: string): Token[] | undefined {
  try {
    return new BoundedLexer(OPTIONS).lex(source);
  } catch {
    return undefined;
  }
}
