import type { DocumentKind } from "./document-kind.ts";
import { readDocxText } from "./docx.ts";
import { readPdfPages } from "./pdf.ts";

/** The text of a document: one entry for each page where it has pages. @throws where the document is damaged or unsafe. */
export async function readDocumentText(kind: DocumentKind, bytes: Uint8Array): Promise<string[]> {
  switch (kind) {
    case "pdf":
      return readPdfPages(bytes);
    case "docx":
      return [await readDocxText(bytes)];
  }
}
