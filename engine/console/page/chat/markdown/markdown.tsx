import { Component, type ComponentChildren } from "preact";
import { Scrollable } from "../../ui/scrollable.tsx";
import { BLOCKS_PER_GROUP } from "../limits.ts";
import { toVisible } from "../visible.ts";
import { Code } from "./code.tsx";
import type { ParsedBlock } from "./document.ts";
import { Formula } from "./formula.tsx";
import type { Block, Cell, Inline } from "./tree.ts";

interface Blocks {
  blocks: readonly ParsedBlock[];
}

/** The blocks of a text. What did not change is neither rendered nor laid out again: a text that grows, grows at its end. */
export function Markdown({ blocks }: Blocks) {
  return (
    <div class="markdown" dir="auto">
      {groupsOf(blocks).map((group) => (
        <Group key={group[0]?.at} blocks={group} />
      ))}
    </div>
  );
}

function groupsOf(blocks: readonly ParsedBlock[]): readonly (readonly ParsedBlock[])[] {
  const count = Math.ceil(blocks.length / BLOCKS_PER_GROUP);
  return Array.from({ length: count }, (_, at) =>
    blocks.slice(at * BLOCKS_PER_GROUP, (at + 1) * BLOCKS_PER_GROUP),
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

class BlockView extends Component<{ block: ParsedBlock }> {
  override shouldComponentUpdate(next: { block: ParsedBlock }): boolean {
    return next.block !== this.props.block;
  }

  override render({ block }: { block: ParsedBlock }) {
    return block.tree.map(toElement);
  }
}

function toElement(block: Block): ComponentChildren {
  switch (block.kind) {
    case "heading": {
      // The page has the first two levels.
      const Heading = `h${Math.min(block.depth + 2, 6)}` as "h3";
      return <Heading>{block.children.map(toText)}</Heading>;
    }
    case "paragraph":
      return <p>{block.children.map(toText)}</p>;
    case "plain":
      return <p class="plain">{block.text}</p>;
    case "code":
      return <Code language={block.language} text={block.text} />;
    case "quote":
      return <blockquote>{block.children.map(toElement)}</blockquote>;
    case "list":
      return <List {...block} />;
    case "table":
      return <Table {...block} />;
    case "rule":
      return <hr />;
  }
}

function toText(inline: Inline): ComponentChildren {
  if (typeof inline === "string") return inline;
  switch (inline.kind) {
    case "strong":
      return <strong>{inline.children.map(toText)}</strong>;
    case "em":
      return <em>{inline.children.map(toText)}</em>;
    case "del":
      return <del>{inline.children.map(toText)}</del>;
    case "code":
      return <code>{toVisible(inline.text)}</code>;
    case "break":
      return <br />;
    case "check":
      return <input type="checkbox" checked={inline.isDone} disabled aria-label="Task" />;
    case "math":
      return <Formula tex={inline.tex} isBlock={inline.isBlock} />;
    case "link":
      return <Link {...inline} />;
  }
}

function Link({ href, host, children }: Extract<Inline, { kind: "link" }>) {
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
        {children.map(toText)}
      </a>
      {host !== undefined && <span class="host"> ({host})</span>}
    </>
  );
}

function List({ start, items }: Extract<Block, { kind: "list" }>) {
  const children = items.map((item, at) => <li key={at}>{item.map(toElement)}</li>);
  return start === undefined ? <ul>{children}</ul> : <ol start={start}>{children}</ol>;
}

function Table({ isContinued, head, rows }: Extract<Block, { kind: "table" }>) {
  const cells = (row: readonly Cell[], Tag: "td" | "th") =>
    row.map(({ align, children }, at) => (
      <Tag key={at} class={align ?? undefined}>
        {children.map(toText)}
      </Tag>
    ));
  return (
    <Scrollable label="Table">
      <table>
        <thead class={isContinued ? "visually-hidden" : undefined}>
          <tr>{cells(head, "th")}</tr>
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
