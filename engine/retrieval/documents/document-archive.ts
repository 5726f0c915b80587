import { findArchiveFault, parseArchiveParts } from "../../files/archive.ts";
import { DOCUMENT_PARTS_MAX, DOCUMENT_TITLE_CHARACTERS_MAX } from "../limits.ts";
import { encodingOf } from "../text/decode.ts";
import { type MarkupHandler, readMarkup } from "./markup.ts";

/** The parts of a document that is a ZIP archive. */
export interface DocumentArchive {
  has(path: string): boolean;
  /** The text of a part, in pieces. Nothing if the archive lacks it: what lies outside is never looked for. */
  text(path: string): AsyncIterable<string>;
  /** Reads a part as XML. */
  read(path: string, handler: MarkupHandler): Promise<void>;
}

/** @throws if the archive is damaged, encrypted or unsafe, or lacks a part. */
export async function parseDocumentArchive(
  bytes: Uint8Array,
  requiredParts: readonly string[],
): Promise<DocumentArchive> {
  const fault = await findArchiveFault({ bytes }, requiredParts);
  if (fault !== undefined) throw new Error(`The document ${fault}.`);
  // Office programs find parts without regard to case, and no two of them differ in it alone.
  const parts = new Map(
    Array.from(await parseArchiveParts(bytes), ([name, unpack]) => [name.toLowerCase(), unpack]),
  );
  async function* text(path: string): AsyncGenerator<string> {
    const unpack = parts.get(path.toLowerCase());
    if (unpack) yield* decode(unpack());
  }
  return {
    has: (path) => parts.has(path.toLowerCase()),
    text,
    read: (path, handler) => readMarkup(text(path), handler, "xml"),
  };
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
}

/** The path that a reference inside a part leads to; undefined if it leads out of the archive. */
export function resolvePart(from: string, reference: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference)) return undefined;
  const base = reference.startsWith("/") ? [] : from.split("/").slice(0, -1);
  const path: string[] = [];
  for (const segment of [...base, ...reference.split("/")]) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") path.push(segment);
    else if (path.pop() === undefined) return undefined;
  }
  return path.join("/");
}

/**
 * The parts inside the archive that a part refers to: id, the last word of the type, such as `slide`, and path. What lies
 * outside is left out.
 */
export function listRelationships(archive: DocumentArchive, part: string) {
  const slash = part.lastIndexOf("/") + 1;
  const place = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  return listElements(archive, place, "Relationship", ({ Id = "", Type = "", ...attributes }) => {
    if (attributes.TargetMode === "External") return undefined;
    const path = resolvePart(part, attributes.Target ?? "");
    if (path === undefined || !archive.has(path)) return undefined;
    return { id: Id, type: Type.slice(Type.lastIndexOf("/") + 1), path };
  });
}

/** The part that a document begins with, such as `ppt/presentation.xml`. @throws if the archive names none. */
export async function getMainPart(archive: DocumentArchive, usual: string): Promise<string> {
  const main = (await listRelationships(archive, "")).find(({ type }) => type === "officeDocument");
  if (main) return main.path;
  if (archive.has(usual)) return usual;
  throw new Error("The document lacks required parts.");
}

/** What is made of the attributes of all elements of a name, in order; undefined leaves an element out. */
export async function listElements<Value>(
  archive: DocumentArchive,
  part: string,
  element: string,
  toValue: (attributes: Readonly<Record<string, string>>) => Value | undefined,
): Promise<Value[]> {
  const values: Value[] = [];
  await archive.read(part, {
    open(name, attributes) {
      if (name !== element || values.length >= DOCUMENT_PARTS_MAX) return;
      const value = toValue(attributes);
      if (value !== undefined) values.push(value);
    },
    isDone: () => values.length >= DOCUMENT_PARTS_MAX,
  });
  return values;
}

/** The id of a relationship that an element refers to. */
export function relationshipOf(attributes: Readonly<Record<string, string>>): string {
  const key = Object.keys(attributes).find((name) => name.endsWith(":id"));
  return (key && attributes[key]) || "";
}

/** The title in a part of Dublin Core, as office programs and EPUB have it; empty if there is none. */
export async function readCoreTitle(archive: DocumentArchive, part: string): Promise<string> {
  let title = "";
  let isOpen = false;
  let isOver = false;
  await archive.read(part, {
    open: (name) => {
      isOpen = name === "title";
    },
    close: (name) => {
      if (name === "title") isOver = title.trim() !== "";
      isOpen = false;
    },
    text: (text) => {
      if (isOpen && !isOver) title += text.slice(0, DOCUMENT_TITLE_CHARACTERS_MAX - title.length);
    },
    isDone: () => isOver,
  });
  return title.trim();
}
