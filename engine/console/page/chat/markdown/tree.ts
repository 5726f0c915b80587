import type { MarkedToken, Token, Tokens } from "marked";
import { decode } from "../../decode.ts";
import { BLOCK_ELEMENTS_MAX, LINK_CHARACTERS_MAX } from "../limits.ts";
import { lexBlock } from "./bounded-lexer.ts";
import { decodeEntities } from "./entities.ts";
import type { MathToken } from "./read-math.ts";

/** What stands in a line. A string is text, whatever it looks like. */
export type Inline =
  | string
  | { kind: "strong" | "em" | "del"; children: readonly Inline[] }
  | { kind: "code"; text: string }
  | { kind: "break" }
  | { kind: "check"; isDone: boolean }
  /** TeX; a block stands in a line of its own. */
  | { kind: "math"; tex: string; isBlock: boolean }
  /** `host` is undefined if the text is the address itself. */
  | { kind: "link"; href: string; host: string | undefined; children: readonly Inline[] };

/** An element of a message. */
export type Block =
  | { kind: "heading"; depth: number; children: readonly Inline[] }
  | { kind: "paragraph"; children: readonly Inline[] }
  | { kind: "plain"; text: string }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; children: readonly Block[] }
  | { kind: "list"; start: number | undefined; items: readonly (readonly Block[])[] }
  | { kind: "table"; isContinued: boolean; head: readonly Cell[]; rows: readonly Cell[][] }
  | { kind: "rule" };

/** A cell of a table. */
export interface Cell {
  align: "center" | "left" | "right" | null;
  children: readonly Inline[];
}

/** What is written of a block. */
export interface BlockSource {
  /** A part of a line that is too long for marks is plain. */
  kind: "markdown" | "plain";
  source: string;
  /** Of a later part of a long table: the first two lines of the table, else "". */
  header: string;
}

/** The elements of a block of Markdown: nothing of it is HTML, and no image is loaded. */
export function toTree({ kind, source, header }: BlockSource): readonly Block[] {
  if (kind === "plain") return [{ kind, text: source }];
  try {
    return new TreeBuilder(header !== "").toBlocks(lexBlock(header + source));
  } catch {
    // Text that the lexer cannot read is shown as it is written.
    return [{ kind: "plain", text: source }];
  }
}

class TreeBuilder {
  readonly #isContinued: boolean;
  #elements = 0;

  constructor(isContinued: boolean) {
    this.#isContinued = isContinued;
  }

  toBlocks(tokens: readonly Token[]): Block[] {
    // The lexer has no extensions of blocks, so each token is one of its own.
    return tokens.flatMap((token) => this.#toBlock(token as MarkedToken) ?? []);
  }

  #toBlock(token: MarkedToken): Block | undefined {
    this.#elements += 1;
    if (this.#elements > BLOCK_ELEMENTS_MAX) return { kind: "plain", text: token.raw };
    switch (token.type) {
      case "space":
        return undefined;
      case "heading":
        return { kind: "heading", depth: token.depth, children: this.#toInlines(token.tokens) };
      case "paragraph":
        return { kind: "paragraph", children: this.#toInlines(token.tokens) };
      case "code":
        return { kind: "code", language: token.lang ?? "", text: token.text };
      case "blockquote":
        return { kind: "quote", children: this.toBlocks(token.tokens) };
      case "list":
        return this.#toList(token);
      case "table":
        return this.#toTable(token);
      case "hr":
        return { kind: "rule" };
      case "text":
        return { kind: "paragraph", children: this.#toInlines(token.tokens ?? [token]) };
      case "checkbox":
        return { kind: "paragraph", children: this.#toInlines([token]) };
      default:
        // HTML and definitions of links among them.
        return { kind: "plain", text: token.raw.trimEnd() };
    }
  }

  #toList({ ordered, start, items }: Tokens.List): Block {
    const children = items.map(({ tokens }) => joinCheck(this.toBlocks(tokens)));
    return { kind: "list", start: ordered ? Number(start) : undefined, items: children };
  }

  #toTable({ header, rows }: Tokens.Table): Block {
    const toCell = ({ align, tokens }: Tokens.TableCell): Cell => ({
      align,
      children: this.#toInlines(tokens),
    });
    return {
      kind: "table",
      isContinued: this.#isContinued,
      head: header.map(toCell),
      rows: rows.map((row) => row.map(toCell)),
    };
  }

  #toInlines(tokens: readonly Token[]): Inline[] {
    return joinTexts(tokens.flatMap((token) => this.#toInline(token as MarkedToken)));
  }

  #toInline(token: MarkedToken | MathToken): Inline | Inline[] {
    this.#elements += 1;
    if (this.#elements > BLOCK_ELEMENTS_MAX) return token.raw;
    switch (token.type) {
      case "strong":
      case "em":
      case "del":
        return { kind: token.type, children: this.#toInlines(token.tokens) };
      case "codespan":
        return { kind: "code", text: token.text };
      case "br":
        return { kind: "break" };
      case "checkbox":
        return { kind: "check", isDone: token.checked };
      case "math":
        return { kind: "math", tex: token.text, isBlock: token.isBlock };
      case "link":
        return this.#toLink(token);
      case "image":
        return toImage(token);
      case "text":
        return token.tokens ? this.#toInlines(token.tokens) : decodeEntities(token.text);
      case "escape":
        return token.text;
      case "html":
        return /^<br ?\/?>$/i.test(token.raw) ? { kind: "break" } : token.raw;
      default:
        return token.raw;
    }
  }

  /** Of an address that may not be opened, all is text. */
  #toLink({ href, tokens, text, raw, autolink }: Tokens.Link): Inline | Inline[] {
    const address = autolink ? href : decodeEntities(href);
    const link = toSafeLink(address);
    if (!link) return raw;
    const host = [address, link.href, link.host].includes(text) ? undefined : link.host;
    return { kind: "link", href: link.href, host, children: this.#toInlines(tokens) };
  }
}

/** The text of an image, and its address: a picture that loads itself could tell if it is read. */
function toImage({ href, text, raw }: Tokens.Image): Inline {
  const link = toSafeLink(decodeEntities(href));
  if (!link) return raw;
  const children = [text === "" ? "image" : `image: ${decodeEntities(text)}`];
  return { kind: "link", href: link.href, host: link.host, children };
}

function joinTexts(inlines: readonly Inline[]): Inline[] {
  const joined: Inline[] = [];
  for (const inline of inlines) {
    const last = joined.at(-1);
    if (typeof inline === "string" && typeof last === "string") joined.splice(-1, 1, last + inline);
    else joined.push(inline);
  }
  return joined;
}

/** The box of a task stands in the line of its text. */
function joinCheck(blocks: readonly Block[]): readonly Block[] {
  const [first, second, ...others] = blocks;
  if (first?.kind !== "paragraph" || second?.kind !== "paragraph") return blocks;
  const [check] = first.children;
  if (first.children.length !== 1 || typeof check !== "object" || check.kind !== "check")
    return blocks;
  return [{ kind: "paragraph", children: [check, ...second.children] }, ...others];
}

/** An address that may be opened, and the host to show beside it. */
interface SafeLink {
  href: string;
  host: string;
}

const PROTOCOLS = ["http:", "https:", "mailto:"];

/** The address of a link; undefined if it is no address of the web or of mail. */
function toSafeLink(address: string): SafeLink | undefined {
  if (address.length > LINK_CHARACTERS_MAX || !URL.canParse(address)) return undefined;
  const { protocol, host, href, pathname } = new URL(address);
  if (!PROTOCOLS.includes(protocol)) return undefined;
  return { href, host: protocol === "mailto:" ? decode(pathname) : host };
}
