import { PDF_PAGES_MAX } from "../../limits.ts";
import { type Chunk, chunkText } from "../text/chunk.ts";
import { redactSecrets } from "../text/secrets.ts";

/** The text of a PDF, page by page. Its chunks have no lines: a page has none that a reader would count. */
export async function readPdf(bytes: Uint8Array): Promise<{ title: string; chunks: Chunk[] }> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  // A copy: the reader takes the buffer for itself.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  try {
    if (pdf.numPages > PDF_PAGES_MAX) throw new Error("The PDF has too many pages.");
    const { text } = await extractText(pdf, { mergePages: false });
    const chunks = text.flatMap((page, at) => chunksOfPage(page, at + 1));
    return { title: "", chunks };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function chunksOfPage(page: string, number: number): Chunk[] {
  return chunkText(redactSecrets(page), "text").map((chunk) => ({
    ...chunk,
    startLine: null,
    endLine: null,
    heading: `Page ${number}`,
  }));
}
