import { DOCUMENT_TEXT_CHARACTERS_MAX } from "../limits.ts";
import {
  type DocumentArchive,
  listElements,
  parseDocumentArchive,
  readCoreTitle,
  resolvePart,
} from "./document-archive.ts";
import type { DocumentPage, DocumentText } from "./document-page.ts";
import { readMarkup } from "./markup.ts";
import { PageText } from "./page-text.ts";
import { TextBlocks } from "./text-blocks.ts";

const CONTAINER = "META-INF/container.xml";

/** The chapters of a book in reading order. Scripts are no text. */
export async function readEpub(bytes: Uint8Array): Promise<DocumentText> {
  const archive = await parseDocumentArchive(bytes, [CONTAINER]);
  const [packagePath] = await listElements(
    archive,
    CONTAINER,
    "rootfile",
    (attributes) => attributes["full-path"] ?? "",
  );
  if (packagePath === undefined || !archive.has(packagePath)) {
    throw new Error("The document lacks required parts.");
  }
  const sealed = await listSealedParts(archive);
  const pages: DocumentPage[] = [];
  let left = DOCUMENT_TEXT_CHARACTERS_MAX;
  for (const path of await listChapters(archive, packagePath)) {
    if (left <= 0) break;
    if (sealed.has(path)) throw new Error("The document is encrypted.");
    const page = new PageText(undefined, new TextBlocks(left));
    await readMarkup(archive.text(path), page, "xhtml");
    const { text } = page.finish();
    left -= text.length;
    if (text !== "") pages.push({ text, heading: "", kind: "markdown" });
  }
  return { title: await readCoreTitle(archive, packagePath), pages };
}

async function listChapters(archive: DocumentArchive, packagePath: string): Promise<string[]> {
  const items = await listElements(archive, packagePath, "item", ({ id = "", href = "" }) => {
    const path = resolvePart(packagePath, decodePath(href));
    return [id, path] as const;
  });
  const paths = new Map(items);
  const spine = await listElements(archive, packagePath, "itemref", ({ idref = "" }) => idref);
  // A chapter that is listed again is read once.
  const listed = new Set(spine.flatMap((id) => paths.get(id) ?? []));
  return [...listed].filter((path) => archive.has(path));
}

// Fonts are often disguised, chapters are only where the book is protected.
async function listSealedParts(archive: DocumentArchive): Promise<Set<string>> {
  const references = await listElements(
    archive,
    "META-INF/encryption.xml",
    "CipherReference",
    ({ URI = "" }) => decodePath(URI),
  );
  return new Set(references);
}

function decodePath(reference: string): string {
  const [path = ""] = reference.split("#", 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
