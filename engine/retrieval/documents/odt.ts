import { BLANKS_AT_ONCE_MAX } from "../limits.ts";
import { listElements, parseDocumentArchive, readCoreTitle } from "./document-archive.ts";
import type { DocumentText } from "./document-page.ts";
import { attributeOf, type MarkupHandler } from "./markup.ts";
import { TextBlocks } from "./text-blocks.ts";

const MANIFEST = "META-INF/manifest.xml";
const HEADING_LEVEL_MAX = 6;

/** The text of an OpenDocument text: headings and lists with the marks of Markdown, cells of a row in one line. */
export async function readOdt(bytes: Uint8Array): Promise<DocumentText> {
  const archive = await parseDocumentArchive(bytes, [MANIFEST]);
  const sealed = await listElements(archive, MANIFEST, "encryption-data", () => true);
  if (sealed.length > 0) throw new Error("The document is encrypted.");
  if (!archive.has("content.xml")) throw new Error("The document lacks required parts.");
  const text = new OpenText();
  await archive.read("content.xml", text);
  const title = await readCoreTitle(archive, "meta.xml");
  return { title, pages: [{ text: text.finish(), heading: "", kind: "markdown" }] };
}

class OpenText implements MarkupHandler {
  // Comments, and text that was deleted while changes were tracked.
  readonly hidden = new Set(["annotation", "tracked-changes"]);
  readonly #blocks = new TextBlocks();
  /** Only text inside a paragraph is seen. */
  #paragraphs = 0;
  #rows = 0;
  #lists = 0;
  #isItem = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case "h":
        this.#paragraphs += 1;
        this.#blocks.blank();
        this.#blocks.begin(`${"#".repeat(levelOf(attributes))} `);
        return;
      case "p":
        this.#paragraphs += 1;
        if (this.#rows === 0) this.#blocks.begin(this.#isItem ? "- " : "");
        this.#isItem = false;
        return;
      case "list":
        this.#lists += 1;
        return;
      case "list-item":
        this.#isItem = true;
        return;
      case "table-row":
        this.#rows += 1;
        return;
      case "table-cell":
        this.#blocks.separate();
        return;
      case "tab":
      case "line-break":
        this.#blocks.add(" ");
        return;
      case "s":
        this.#blocks.add(" ".repeat(blanksOf(attributes)));
        return;
    }
  }

  close(name: string): void {
    if (name === "h" || name === "p") {
      this.#paragraphs -= 1;
      if (this.#rows > 0) this.#blocks.add(" ");
      else if (this.#lists > 0) this.#blocks.break();
      else this.#blocks.blank();
    } else if (name === "table-row") {
      this.#rows -= 1;
      if (this.#rows === 0) this.#blocks.break();
    } else if (name === "list") this.#lists -= 1;
    if (name === "table" || (name === "list" && this.#lists === 0)) this.#blocks.blank();
  }

  text(text: string): void {
    if (this.#paragraphs > 0) this.#blocks.add(text);
  }

  isDone(): boolean {
    return this.#blocks.isFull;
  }

  finish(): string {
    return this.#blocks.finish().text;
  }
}

function levelOf(attributes: Readonly<Record<string, string>>): number {
  const level = Number(attributeOf(attributes, "outline-level") ?? 1);
  return Number.isInteger(level) ? Math.min(HEADING_LEVEL_MAX, Math.max(1, level)) : 1;
}

function blanksOf(attributes: Readonly<Record<string, string>>): number {
  const count = Number(attributeOf(attributes, "c") ?? 1);
  return Number.isInteger(count) ? Math.min(BLANKS_AT_ONCE_MAX, Math.max(1, count)) : 1;
}
