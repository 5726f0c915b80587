import { DOCX_PARTS, findArchiveFault } from "../../files/archive.ts";
import { DOCUMENT_TEXT_CHARACTERS_MAX, DOCX_PART_BYTES_MAX } from "../limits.ts";

/** The text of a Word document, cut at the index's limit. @throws where the archive is unsafe. */
export async function readDocxText(bytes: Uint8Array): Promise<string> {
  const fault = await findArchiveFault({ bytes }, DOCX_PARTS, undefined, DOCX_PART_BYTES_MAX);
  if (fault !== undefined) throw new Error(`The document ${fault}.`);
  const { default: mammoth } = await import("mammoth");
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return value.slice(0, DOCUMENT_TEXT_CHARACTERS_MAX).replace(/\n{2,}/g, "\n\n");
}
