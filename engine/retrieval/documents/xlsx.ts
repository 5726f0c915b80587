import {
  CELL_CHARACTERS_MAX,
  DOCUMENT_TEXT_CHARACTERS_MAX,
  EMPTY_CELLS_SHOWN_MAX,
  SHARED_TEXT_CHARACTERS_MAX,
  SHEET_NAME_CHARACTERS_MAX,
} from "../limits.ts";
import { CellFormats } from "./cell-formats.ts";
import {
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

const LETTERS = 26;
const NUMBER_DIGITS = 15;

/** The sheets of a workbook in their order: the name, then a line for each row with its values. Formulas are never computed. */
export async function readXlsx(bytes: Uint8Array): Promise<DocumentText> {
  const archive = await parseDocumentArchive(bytes, ["[Content_Types].xml"]);
  const main = await getMainPart(archive, "xl/workbook.xml");
  const related = await listRelationships(archive, main);
  const partOf = (type: string) => related.find((part) => part.type === type)?.path ?? "";
  const [properties] = await listElements(archive, main, "workbookPr", (found) => found);
  const formats = new CellFormats({ from1904: isTrue(properties?.date1904) });
  await archive.read(partOf("styles"), formats);
  const shared = new SharedTexts();
  await archive.read(partOf("sharedStrings"), shared);
  const sheets = await listElements(archive, main, "sheet", (attributes) => ({
    name: (attributes.name ?? "").slice(0, SHEET_NAME_CHARACTERS_MAX),
    id: relationshipOf(attributes),
  }));
  const pages: DocumentPage[] = [];
  let left = DOCUMENT_TEXT_CHARACTERS_MAX;
  for (const { name, id } of sheets) {
    const path = related.find((part) => part.id === id)?.path;
    if (path === undefined || left <= 0) continue;
    const blocks = new TextBlocks(left);
    blocks.add(name);
    blocks.break();
    await archive.read(path, new SheetRows(blocks, { shared, formats }));
    const { text } = blocks.finish();
    left -= text.length;
    pages.push({ text, heading: name, kind: "text" });
  }
  return { title: await readCoreTitle(archive, "docProps/core.xml"), pages };
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** The texts that the cells of a workbook refer to by number. */
class SharedTexts implements MarkupHandler {
  readonly #texts: string[] = [];
  #left = SHARED_TEXT_CHARACTERS_MAX;
  #text = "";
  #isText = false;
  /** How the text is spoken, in Japanese. */
  #isPhonetic = false;

  /** Empty if there is none. */
  at(number: number): string {
    return this.#texts[number] ?? "";
  }

  open(name: string): void {
    if (name === "si") this.#text = "";
    else if (name === "t") this.#isText = true;
    else if (name === "rPh") this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === "t") this.#isText = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "si") {
      this.#texts.push(this.#text);
      // An empty text takes memory, too.
      this.#left -= this.#text.length + 1;
    }
  }

  text(text: string): void {
    if (!this.#isText || this.#isPhonetic) return;
    this.#text += text.slice(0, CELL_CHARACTERS_MAX - this.#text.length);
  }

  isDone(): boolean {
    return this.#left <= 0;
  }
}

/** Writes the rows of a sheet as lines: the stored values of its cells, with a bar between columns. */
class SheetRows implements MarkupHandler {
  readonly #blocks: TextBlocks;
  readonly #shared: SharedTexts;
  readonly #formats: CellFormats;
  /** The columns of this cell and of the last one in its row that is not empty. */
  #column = 0;
  #last = 0;
  #type = "";
  #style = 0;
  #value = "";
  #isValue = false;
  #isPhonetic = false;

  constructor(blocks: TextBlocks, of: { shared: SharedTexts; formats: CellFormats }) {
    this.#blocks = blocks;
    this.#shared = of.shared;
    this.#formats = of.formats;
  }

  open(name: string, { r = "", t = "", s = "" }: Readonly<Record<string, string>>): void {
    if (name === "row") {
      this.#blocks.break();
      this.#column = 0;
      this.#last = 0;
    } else if (name === "c") {
      this.#column = columnOf(r) ?? this.#column + 1;
      this.#type = t;
      this.#style = Number(s);
      this.#value = "";
    } else if (name === "v" || name === "t") this.#isValue = true;
    else if (name === "rPh") this.#isPhonetic = true;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#isValue = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "c") this.#addCell();
  }

  text(text: string): void {
    if (!this.#isValue || this.#isPhonetic) return;
    this.#value += text.slice(0, CELL_CHARACTERS_MAX - this.#value.length);
  }

  isDone(): boolean {
    return this.#blocks.isFull;
  }

  #addCell(): void {
    const shown = this.#shown();
    if (shown === "") return;
    const empty = Math.max(0, this.#column - this.#last - 1);
    this.#blocks.separate(1 + Math.min(empty, EMPTY_CELLS_SHOWN_MAX));
    this.#blocks.addAsIs(shown);
    this.#last = this.#column;
  }

  // In one line.
  #shown(): string {
    switch (this.#type) {
      case "s":
        return asLine(this.#shared.at(Number(this.#value)));
      case "b":
        return this.#value === "1" ? "TRUE" : "FALSE";
      case "":
      case "n":
        return this.#formats.dateOf(this.#value, this.#style) ?? numberOf(this.#value);
      default:
        return asLine(this.#value);
    }
  }
}

function asLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

// As a person knows it: 0.3, not 0.30000000000000004.
function numberOf(value: string): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) return asLine(value);
  return String(Number(number.toPrecision(NUMBER_DIGITS)));
}

// `AB12` is in column 28.
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * LETTERS + letter.charCodeAt(0) - 64;
  return column;
}
