import { splitBlocks, type TextBlock } from "./blocks.ts";
import { type Block, toTree } from "./tree.ts";

/** A block of a message. It stays the same object as long as its text does, and is read when it is first shown. */
export class ParsedBlock {
  readonly at: number;
  readonly block: TextBlock;
  #tree: readonly Block[] | undefined;

  constructor(block: TextBlock) {
    this.at = block.at;
    this.block = block;
  }

  get tree(): readonly Block[] {
    this.#tree ??= toTree(this.block);
    return this.#tree;
  }
}

/** The text of a message as elements. Text at its end is read with the last block alone, as it streams in. */
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

  /** How many blocks were made so far, some of them again. */
  get parsed(): number {
    return this.#parsed;
  }

  /** Takes the whole text; where it begins with the one before, only what is new is read. */
  setText(text: string): void {
    const redone = text.startsWith(this.#text) ? this.#openBlocks() : [];
    const kept = redone.length === 0 ? [] : this.#blocks.slice(0, -redone.length);
    this.#text = text;
    const changed = splitBlocks(text, redone[0]?.block).map(
      (block) => redone.find((old) => isSame(block, old.block)) ?? new ParsedBlock(block),
    );
    this.#parsed += changed.filter((block) => !redone.includes(block)).length;
    this.#blocks = [...kept, ...changed];
  }

  /** The blocks that more text can change. A line that is not whole may turn out to belong to the block before it. */
  #openBlocks(): readonly ParsedBlock[] {
    const last = this.#blocks.at(-1);
    const isWhole = last && this.#text.indexOf("\n", last.at) !== -1;
    return this.#blocks.slice(isWhole ? -1 : -2);
  }
}

function isSame(block: TextBlock, other: TextBlock): boolean {
  const names = ["at", "kind", "source", "language", "header"] as const;
  return names.every((name) => block[name] === other[name]);
}
