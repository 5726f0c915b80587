import { findArchiveFault, parseArchiveParts } from "../../files/archive.ts";
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
  const parts = await parseArchiveParts(bytes);
  // Office programs find parts without regard to case, and no two of them differ in it alone.
  const names = new Map([...parts.keys()].map((name) => [name.toLowerCase(), name]));
  const find = (path: string) => parts.get(names.get(path.toLowerCase()) ?? "");
  async function* text(path: string): AsyncGenerator<string> {
    const unpack = find(path);
    if (unpack) yield* decode(unpack());
  }
  return {
    has: (path) => find(path) !== undefined,
    text,
    read: (path, handler) => readMarkup(text(path), handler, "xml"),
  };
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

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(encodingOf(piece));
    yield decoder.decode(piece, { stream: true });
  }
}
