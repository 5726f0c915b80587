import { DOCUMENT_CHUNKS_MAX } from "../limits.ts";
import { type Chunk, chunkText } from "../text/chunk.ts";
import { redactSecrets } from "../text/secrets.ts";
import { titleOf } from "../text/title.ts";
import type { DocumentKind } from "./document-kind.ts";

/** The chunks of a document's text. They have no line numbers: a page has no countable lines. */
export function chunkDocument(
  kind: DocumentKind,
  pages: readonly string[],
): { title: string; chunks: Chunk[] } {
  const chunks: Chunk[] = [];
  const texts = pages.map(redactSecrets);
  for (const [at, text] of texts.entries()) {
    const heading = kind === "pdf" ? `Page ${at + 1}` : undefined;
    for (const chunk of chunkText(text, "text")) {
      if (chunks.length === DOCUMENT_CHUNKS_MAX) break;
      chunks.push({
        ...chunk,
        startLine: null,
        endLine: null,
        heading: heading ?? chunk.heading,
      });
    }
  }
  return { title: kind === "docx" ? titleOf(texts[0] ?? "", "text") : "", chunks };
}
