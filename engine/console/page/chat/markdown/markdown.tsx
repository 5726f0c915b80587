import type { MarkedToken, Token, Tokens } from "marked";
import { Component, type ComponentChildren } from "preact";
import { toVisible } from "../../../../visible.ts";
import { Scrollable } from "../../ui/scrollable.tsx";
import { BLOCK_ELEMENTS_MAX, BLOCKS_PER_GROUP } from "../limits.ts";
import { type Block, tokensOf } from "./blocks.ts";
import { Code } from "./code.tsx";
import { decodeEntities } from "./entities.ts";
import { Formula } from "./formula.tsx";
import type { MathToken } from "./lexer.ts";
import { toSafeLink } from "./safe-link.ts";

interface Blocks {
  blocks: readonly Block[];
}

/** The blocks of a text. What did not change is neither rendered nor laid out again: a text that grows, grows at its end. */
export function Markdown({ blocks }: Blocks) {
  const count = Math.ceil(blocks.length / BLOCKS_PER_GROUP);
  return (
    <div class="markdown" dir="auto">
      {Array.from({ length: count }, (_, at) => (
        <Group
          key={blocks[at * BLOCKS_PER_GROUP]?.at}
          blocks={blocks.slice(at * BLOCKS_PER_GROUP, (at + 1) * BLOCKS_PER_GROUP)}
        />
      ))}
    </div>
  );
}

class Group extends Component<Blocks> {
  override shouldComponentUpdate({ blocks }: Blocks): boolean {
    const before = this.props.blocks;
    // Blocks between them do not change while the last one stays.
    return blocks.length !== before.length || blocks.at(-1) !== before.at(-1);
  }

  override render({ blocks }: Blocks) {
    return (
      <div class="group">
        {blocks.map((block) => (
          <BlockView key={block.at} block={block} />
        ))}
      </div>
    );
  }
}

/** The elements of a block: nothing of it is HTML, and no image is loaded. */
class BlockView extends Component<{ block: Block }> {
  #elements = 0;
  #isContinued = false;

  override shouldComponentUpdate(next: { block: Block }): boolean {
    const { source, header } = this.props.block;
    return next.block.source !== source || next.block.header !== header;
  }

  override render({ block }: { block: Block }) {
    this.#elements = 0;
    this.#isContinued = block.header !== "";
    return this.#blocks(tokensOf(block));
  }

  #isTooMuch(): boolean {
    this.#elements += 1;
    return this.#elements > BLOCK_ELEMENTS_MAX;
  }

  // The lexer has no extensions but mathematics, so each token is one of its own.
  #blocks = (tokens: readonly Token[]) => tokens.map((token) => this.#block(token as MarkedToken));
  #inlines = (tokens: readonly Token[]) =>
    tokens.map((token) => this.#inline(token as MarkedToken | MathToken));

  #block(token: MarkedToken): ComponentChildren {
    if (this.#isTooMuch()) return <p class="plain">{token.raw}</p>;
    switch (token.type) {
      case "space":
        return null;
      case "heading": {
        // The page has the first two levels.
        const Heading = `h${Math.min(token.depth + 2, 6)}` as "h3";
        return <Heading>{this.#inlines(token.tokens)}</Heading>;
      }
      case "paragraph":
        return <p>{this.#inlines(token.tokens)}</p>;
      case "text":
        return <p>{this.#inlines(token.tokens ?? [token])}</p>;
      case "checkbox":
        return this.#inline(token);
      case "code":
        return <Code language={token.lang ?? ""} text={token.text} />;
      case "blockquote":
        return <blockquote>{this.#blocks(token.tokens)}</blockquote>;
      case "list": {
        const items = token.items.map(({ tokens }, at) => <li key={at}>{this.#blocks(tokens)}</li>);
        return token.ordered ? <ol start={Number(token.start)}>{items}</ol> : <ul>{items}</ul>;
      }
      case "table":
        return this.#table(token);
      case "hr":
        return <hr />;
      default:
        // Plain text, HTML and definitions of links among them.
        return <p class="plain">{token.raw.trimEnd()}</p>;
    }
  }

  #table({ header, rows }: Tokens.Table) {
    const cells = (row: readonly Tokens.TableCell[], Tag: "td" | "th") =>
      row.map(({ align, tokens }, at) => (
        <Tag key={at} class={align ?? undefined}>
          {this.#inlines(tokens)}
        </Tag>
      ));
    return (
      <Scrollable label="Table">
        <table>
          <thead class={this.#isContinued ? "visually-hidden" : undefined}>
            <tr>{cells(header, "th")}</tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>{cells(row, "td")}</tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    );
  }

  #inline(token: MarkedToken | MathToken): ComponentChildren {
    if (this.#isTooMuch()) return token.raw;
    switch (token.type) {
      case "strong":
      case "em":
      case "del": {
        const Mark = token.type;
        return <Mark>{this.#inlines(token.tokens)}</Mark>;
      }
      case "codespan":
        return <code>{toVisible(token.text)}</code>;
      case "br":
        return <br />;
      case "checkbox":
        return <input type="checkbox" checked={token.checked} disabled aria-label="Task" />;
      case "math":
        return <Formula tex={token.text} isBlock={token.isBlock} />;
      case "link":
      case "image":
        return this.#link(token);
      case "text":
        return token.tokens ? this.#inlines(token.tokens) : decodeEntities(token.text);
      case "escape":
        return token.text;
      default:
        return /^<br ?\/?>$/i.test(token.raw) ? <br /> : token.raw;
    }
  }

  /** Of an address that may not be opened, all is text. An image is a link: one that loads itself could tell if it is read. */
  #link(token: Tokens.Link | Tokens.Image) {
    const link = toSafeLink(token);
    if (!link) return token.raw;
    const text = `image: ${decodeEntities(token.text)}`.replace(/: $/, "");
    return (
      <>
        <a href={link.href} target="_blank" rel="noopener noreferrer" title={link.href}>
          {token.type === "link" ? this.#inlines(token.tokens) : text}
        </a>
        {link.host !== undefined && <span class="muted small"> ({link.host})</span>}
      </>
    );
  }
}
