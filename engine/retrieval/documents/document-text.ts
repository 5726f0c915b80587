import { DOCX_PARTS, findArchiveFault } from "../../files/archive.ts";
import { DOCUMENT_TEXT_CHARACTERS_MAX, DOCX_PART_BYTES_MAX } from "../limits.ts";
import { beginsWith, COMPOUND_FILE, type DocumentKind } from "./document-kind.ts";
import type { DocumentPage, DocumentText } from "./document-page.ts";
import { readEpub } from "./epub.ts";
import { readHtml } from "./html.ts";
import { readOdt } from "./odt.ts";
import { readPdfPages } from "./pdf.ts";
import { readPptx } from "./pptx.ts";
import { readRtf } from "./rtf.ts";
import { readXlsx } from "./xlsx.ts";

/** The text of a document, cut at the index's limit. @throws if the document is damaged, encrypted or unsafe. */
export async function readDocumentText(
  kind: DocumentKind,
  bytes: Uint8Array,
): Promise<DocumentText> {
  if (beginsWith(bytes, COMPOUND_FILE)) {
    throw new Error("The document is encrypted, or of an older format.");
  }
  switch (kind) {
    case "pdf":
      return { title: "", pages: (await readPdfPages(bytes)).map(toPdfPage) };
    case "docx":
      return { title: "", pages: [{ text: await readDocxText(bytes), heading: "", kind: "text" }] };
    case "html":
      return readHtml(bytes);
    case "pptx":
      return readPptx(bytes);
    case "xlsx":
      return readXlsx(bytes);
    case "odt":
      return readOdt(bytes);
    case "epub":
      return readEpub(bytes);
    case "rtf":
      return readRtf(bytes);
  }
}

function toPdfPage(text: string, at: number): DocumentPage {
  return { text, heading: `Page ${at + 1}`, kind: "text" };
}

/** The text of a Word document, cut at the index's limit. @throws if the archive is unsafe. */
async function readDocxText(bytes: Uint8Array): Promise<string> {
  const fault = await findArchiveFault({ bytes }, DOCX_PARTS, undefined, DOCX_PART_BYTES_MAX);
  if (fault !== undefined) throw new Error(`The document ${fault}.`);
  const { default: mammoth } = await import("mammoth");
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return value.slice(0, DOCUMENT_TEXT_CHARACTERS_MAX).replace(/\n{2,}/g, "\n\n");
}
