import { DOCUMENT_PARTS_MAX, DOCUMENT_TITLE_CHARACTERS_MAX } from "../limits.ts";
import { type DocumentArchive, resolvePart } from "./document-archive.ts";

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
