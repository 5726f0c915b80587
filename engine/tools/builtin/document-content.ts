import type { EngineDeps } from "../../deps.ts";
import { readBytes } from "../../files/text.ts";
import type { FileRoot } from "../../files/within.ts";
import {
  type DocumentKind,
  documentBytesMax,
  isDocument,
} from "../../retrieval/documents/document-kind.ts";
import { ToolFailure } from "./builtin.ts";

/**
 * The text of a document, its pages separated by an empty line.
 * @throws ToolFailure where no text can be read; the signal's reason; as `readBytes`.
 */
export async function readDocument(
  { retrieval }: Pick<EngineDeps, "retrieval">,
  { root, path, kind }: { root: FileRoot; path: string; kind: DocumentKind },
  signal: AbortSignal,
): Promise<string> {
  const bytes = await readBytes(root, path, documentBytesMax(kind));
  if (!bytes) throw new ToolFailure("path: the document is too large to be read.");
  if (!isDocument(kind, bytes)) throw new ToolFailure(`path: the file is no ${kind}.`);
  const read = await retrieval.readDocument({ kind, bytes }, signal);
  if (read.kind === "failed") throw new ToolFailure(`The text was not read. ${read.reason}`);
  return read.pages.map(({ text }) => text).join("\n\n");
}
