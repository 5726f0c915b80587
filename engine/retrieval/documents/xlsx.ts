import { DOCUMENT_TEXT_CHARACTERS_MAX, SHEET_NAME_CHARACTERS_MAX } from "../limits.ts";
import { CellFormats } from "./cell-formats.ts";
import { parseDocumentArchive } from "./document-archive.ts";
import type { DocumentPage, DocumentText } from "./document-page.ts";
import {
  getMainPart,
  listElements,
  listRelationships,
  readCoreTitle,
  relationshipOf,
} from "./ooxml.ts";
import { SharedTexts } from "./shared-texts.ts";
import { SheetRows } from "./sheet-rows.ts";
import { TextBlocks } from "./text-blocks.ts";

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
