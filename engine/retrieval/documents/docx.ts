import { findArchiveFault } from "../../files/archive.ts";
import { type Chunk, chunkText } from "../text/chunk.ts";
import { redactSecrets } from "../text/secrets.ts";
import { titleOf } from "../text/title.ts";

const REQUIRED_PARTS = ["[Content_Types].xml", "word/document.xml"];

/** The text of a Word document. Its chunks have no lines. @throws where the archive is not a safe one. */
export async function readDocx(bytes: Uint8Array): Promise<{ title: string; chunks: Chunk[] }> {
  const fault = await findArchiveFault({ bytes }, REQUIRED_PARTS);
  if (fault !== undefined) throw new Error(`The document ${fault}.`);
  const { default: mammoth } = await import("mammoth");
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  const text = redactSecrets(value.replace(/\n{2,}/g, "\n\n"));
  const chunks = chunkText(text, "text").map((chunk) => ({
    ...chunk,
    startLine: null,
    endLine: null,
  }));
  return { title: titleOf(text, "text"), chunks };
}
