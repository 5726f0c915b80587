import { DOCUMENT_CHUNKS_MAX } from "../limits.ts";
import { type Chunk, chunkText } from "../text/chunk.ts";
import { redactSecrets } from "../text/secrets.ts";
import { cutTitle, titleOf } from "../text/title.ts";
import type { DocumentPage, DocumentText } from "./document-page.ts";

/** Title and chunks of a document's text. They have line numbers only where the file has lines that can be counted. */
export function chunkDocument({ title, pages }: DocumentText): { title: string; chunks: Chunk[] } {
  const chunks: Chunk[] = [];
  const redacted = pages.map((page) => ({ ...page, text: redactSecrets(page.text) }));
  for (const page of redacted) {
    for (const chunk of chunkText(page.text, page.kind)) {
      if (chunks.length === DOCUMENT_CHUNKS_MAX) break;
      const heading = page.heading === "" ? chunk.heading : page.heading;
      chunks.push({ ...chunk, ...linesOf(chunk, page), heading: redactSecrets(heading) });
    }
  }
  return { title: redactSecrets(cutTitle(title)) || firstTitle(redacted[0]), chunks };
}

// The first line of a page with a heading of its own, such as a sheet, is no title of the document.
function firstTitle(page: DocumentPage | undefined): string {
  return page && page.heading === "" ? titleOf(page.text, page.kind) : "";
}

function linesOf({ startLine, endLine }: Chunk, { lines }: DocumentPage) {
  const lineOf = (line: number | null) => (line === null ? null : (lines?.[line - 1] ?? null));
  return { startLine: lineOf(startLine), endLine: lineOf(endLine) };
}
