import { splitBlocks, type TextBlock } from "./blocks.ts";
import { type Block, toTree } from "./tree.ts";

/** A block of a message with its elements. It stays the same object as long as its text does. */
export interface ParsedBlock extends TextBlock {
  tree: readonly Block[];
}

/** The text of a message as elements. Text at its end is read with the last block alone, as it streams in. */
export class MarkdownDocument {
  #text = "";
  #blocks: readonly ParsedBlock[] = [];
  /** How many blocks were read so far, some of them again. */
  #parsed = 0;

  constructor(text = "") {
    this.setText(text);
  }

  get blocks(): readonly ParsedBlock[] {
    return this.#blocks;
  }

  get parsed(): number {
    return this.#parsed;
  }

  /** Takes the whole text; where it begins with the one before, only what is new is read. */
  setText(text: string): void {
    const isLonger = text.startsWith(this.#text);
    const kept = isLonger ? this.#blocks.slice(0, -1) : [];
    const last = isLonger ? this.#blocks.at(-1) : undefined;
    this.#text = text;
    const changed = splitBlocks(text, last).map((block) =>
      last && isSame(block, last) ? last : this.#parse(block),
    );
    this.#blocks = [...kept, ...changed];
  }

  #parse(block: TextBlock): ParsedBlock {
    this.#parsed += 1;
    return { ...block, tree: toTree(block) };
  }
}

function isSame(block: TextBlock, other: TextBlock): boolean {
  const names = ["at", "kind", "source", "language", "header"] as const;
  return names.every((name) => block[name] === other[name]);
}
