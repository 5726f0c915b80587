import { DOCUMENT_TEXT_CHARACTERS_MAX, PDF_PAGES_MAX } from "../limits.ts";

/** The part of a pdf.js page in use. */
interface Page {
  streamTextContent(): ReadableStream<{ items: readonly object[] }>;
}

/** The text of a PDF, page by page, up to the index's limit. Further pages are not read. */
export async function readPdfPages(bytes: Uint8Array): Promise<string[]> {
  const { getDocumentProxy } = await import("unpdf");
  // A copy: pdf.js transfers the buffer.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  try {
    if (pdf.numPages > PDF_PAGES_MAX) throw new Error("The PDF has too many pages.");
    const pages: string[] = [];
    let left = DOCUMENT_TEXT_CHARACTERS_MAX;
    for (let number = 1; number <= pdf.numPages && left > 0; number += 1) {
      const page = await pdf.getPage(number);
      const text = await textOf(page, left);
      page.cleanup();
      pages.push(text);
      left -= text.length;
    }
    return pages;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

// Reads in chunks, so that the limit holds within a page, too.
async function textOf(page: Page, charactersMax: number): Promise<string> {
  const reader = page.streamTextContent().getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    for (const item of value.items) {
      if (!("str" in item) || typeof item.str !== "string") continue;
      text += item.str;
      if ("hasEOL" in item && item.hasEOL === true) text += "\n";
    }
    if (text.length < charactersMax) continue;
    await reader.cancel(new Error("Enough of this page."));
    return text.slice(0, charactersMax);
  }
}
