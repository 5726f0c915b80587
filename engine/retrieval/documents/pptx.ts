import { DOCUMENT_TEXT_CHARACTERS_MAX, DOCUMENT_TITLE_CHARACTERS_MAX } from "../limits.ts";
import {
  type DocumentArchive,
  getMainPart,
  listElements,
  listRelationships,
  parseDocumentArchive,
  readCoreTitle,
  relationshipOf,
} from "./document-archive.ts";
import type { DocumentPage, DocumentText } from "./document-page.ts";
import type { MarkupHandler } from "./markup.ts";
import { TextBlocks } from "./text-blocks.ts";

// PowerPoint's own word where the author gave no title.
const NO_TITLE = "PowerPoint Presentation";

/** The slides of a presentation in their order, each with its notes. */
export async function readPptx(bytes: Uint8Array): Promise<DocumentText> {
  const archive = await parseDocumentArchive(bytes, ["[Content_Types].xml"]);
  const main = await getMainPart(archive, "ppt/presentation.xml");
  const parts = new Map((await listRelationships(archive, main)).map(({ id, path }) => [id, path]));
  const order = await listElements(archive, main, "sldId", relationshipOf);
  const pages: DocumentPage[] = [];
  let left = DOCUMENT_TEXT_CHARACTERS_MAX;
  let title = "";
  for (const [at, id] of order.entries()) {
    const path = parts.get(id);
    if (path === undefined || left <= 0) continue;
    const slide = await readSlide(archive, path, left);
    left -= slide.text.length;
    if (at === 0) title = slide.title;
    const heading = `Slide ${at + 1}${slide.title === "" ? "" : `: ${slide.title}`}`;
    pages.push({ text: [heading, slide.text].filter(Boolean).join("\n"), heading, kind: "text" });
  }
  const named = await readCoreTitle(archive, "docProps/core.xml");
  return { title: title || (named === NO_TITLE ? "" : named), pages };
}

async function readSlide(archive: DocumentArchive, path: string, charactersMax: number) {
  const slide = new SlideText(charactersMax);
  await archive.read(path, slide);
  const related = await listRelationships(archive, path);
  const notes = related.find(({ type }) => type === "notesSlide");
  const below = new SlideText(slide.left);
  if (notes) await archive.read(notes.path, below);
  const { title, text } = slide.finish();
  const said = below.finish().text;
  return { title, text: said === "" ? text : [text, `Notes:\n${said}`].filter(Boolean).join("\n") };
}

const TITLES = new Set(["title", "ctrTitle"]);
// Placeholders that a slide repeats from its master.
const REPEATED = new Set(["sldNum", "dt", "ftr", "hdr", "sldImg"]);

/** The text of a slide: its title apart, paragraphs as lines, cells of a row in one line. */
class SlideText implements MarkupHandler {
  readonly #blocks: TextBlocks;
  #title = "";
  #shape: "title" | "repeated" | "body" = "body";
  #inText = false;
  #inRow = 0;
  /** The fallback that PowerPoint shows if it does not know the newer form. */
  #fallback = 0;

  constructor(charactersMax: number) {
    this.#blocks = new TextBlocks(charactersMax);
  }

  /** The characters that still fit. */
  get left(): number {
    return this.#blocks.left;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#fallback > 0 || name === "Fallback") this.#fallback += 1;
    else if (name === "sp") this.#shape = "body";
    else if (name === "ph") this.#shape = shapeOf(attributes.type ?? "");
    else if (name === "t") this.#inText = true;
    else if (name === "br") this.#add(" ");
    else if (name === "tr") this.#inRow += 1;
    else if (name === "tc") this.#blocks.separate();
  }

  close(name: string): void {
    if (this.#fallback > 0) this.#fallback -= 1;
    else if (name === "t") this.#inText = false;
    else if (name === "p" && this.#inRow > 0) this.#add(" ");
    else if (name === "p") this.#endParagraph();
    else if (name === "tr") {
      this.#inRow -= 1;
      this.#blocks.break();
    } else if (name === "sp") this.#shape = "body";
  }

  text(text: string): void {
    if (this.#inText && this.#fallback === 0) this.#add(text);
  }

  isDone(): boolean {
    return this.#blocks.isFull;
  }

  finish(): { title: string; text: string } {
    const title = this.#title.replace(/\s+/g, " ").trim();
    return { title, text: this.#blocks.finish().text };
  }

  #add(text: string): void {
    if (this.#shape === "body") this.#blocks.add(text);
    if (this.#shape !== "title") return;
    this.#title += text.slice(0, DOCUMENT_TITLE_CHARACTERS_MAX - this.#title.length);
  }

  #endParagraph(): void {
    if (this.#shape === "title") this.#add(" ");
    else this.#blocks.break();
  }
}

function shapeOf(type: string): "title" | "repeated" | "body" {
  if (TITLES.has(type)) return "title";
  return REPEATED.has(type) ? "repeated" : "body";
}
