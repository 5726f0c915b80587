import { type BigIntStats, constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { fromUtf8, utf8 } from "../../shared/bytes.ts";
import { unlessMissing } from "../../shared/system-error.ts";
import { type EngineError, invalid } from "../errors.ts";
import { refuseTaken } from "./directory.ts";
import { notAFile } from "./faults.ts";
import type { Folder } from "./folder.ts";
import { TEXT_FILE_BYTES_MAX } from "./limits.ts";
import { parseRelativePath } from "./relative-path.ts";
import textExtensions from "./text-extensions.json" with { type: "json" };
import type { FileContent } from "./wire.ts";
import {
  type FileRoot,
  judgeChild,
  type OpenFile,
  openWithin,
  statRegularFile,
  withParent,
} from "./within.ts";
import { putInPlace, putNewFile } from "./write.ts";

// Engine §2, file objects.
const TEXT_EXTENSIONS = new Set(textExtensions);

/**
 * Reads a text file unchanged: a BOM is part of the content, so that writing it back loses nothing.
 * @throws EngineError `invalid` if it is not a text file of at most 1,000,000 bytes, `forbidden`, `not_found`.
 */
export async function readText(root: FileRoot, path: string): Promise<FileContent> {
  parseTextPath(path);
  await using file = await openWithin(root, path);
  if (file.sizeBytes > TEXT_FILE_BYTES_MAX) throw tooLong("file");
  const bytes = await readAtMost(file, TEXT_FILE_BYTES_MAX);
  if (!bytes) throw tooLong("file");
  try {
    return { content: fromUtf8(bytes) };
  } catch {
    throw invalid("The file is not UTF-8 text.");
  }
}

/**
 * The bytes of a file of any type; undefined if it is larger than the limit.
 * @throws EngineError `invalid` if it is not a file, `forbidden`, `not_found`.
 */
export async function readBytes(
  root: FileRoot,
  path: string,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  await using file = await openWithin(root, path);
  return file.sizeBytes > bytesMax ? undefined : await readAtMost(file, bytesMax);
}

/**
 * Creates a text file; its folder must exist.
 * @throws EngineError `conflict` if the name is taken, `invalid`, `forbidden`, `not_found` for the folder.
 */
export async function createText(root: FileRoot, path: string, content: string) {
  const segments = parseTextPath(path);
  const bytes = parseContent(content);
  return withParent(root, segments, async (folder, name): Promise<FileContent> => {
    // Checked first only to fail before anything is written; `putNewFile` makes it exclusive.
    const found = await lstat(`${folder.address}/${name}`).catch(unlessMissing);
    if (found) await refuseTaken(folder, name);
    await judgeChild(root, folder, { name });
    await putNewFile(folder, name, bytes);
    return { content };
  });
}

/**
 * Replaces the content of a text file of any size and encoding, and keeps its mode.
 * @throws EngineError `not_found`, `invalid`, `forbidden`.
 */
export async function replaceText(root: FileRoot, path: string, content: string) {
  const segments = parseTextPath(path);
  const bytes = parseContent(content);
  return withParent(root, segments, async (folder, name): Promise<FileContent> => {
    await putInPlace(folder, name, bytes, await statWritableFile(root, folder, name));
    return { content };
  });
}

function parseTextPath(path: string): string[] {
  const segments = parseRelativePath(path);
  const name = segments.at(-1) ?? "";
  if (!isTextName(name)) {
    throw invalid("The file type is not supported: its extension is not that of a text file.");
  }
  return segments;
}

/** Whether files of this name are read and written as text. */
export function isTextName(name: string): boolean {
  return TEXT_EXTENSIONS.has(name.slice(Math.max(name.lastIndexOf("."), 0)).toLowerCase());
}

function parseContent(content: string): Uint8Array {
  if (!content.isWellFormed()) {
    throw invalid("The content is not valid text.", "content: has half of a surrogate pair");
  }
  // A character takes at least one byte, so a far too long text is never encoded.
  if (content.length > TEXT_FILE_BYTES_MAX) throw tooLong("content");
  const bytes = utf8(content);
  if (bytes.length > TEXT_FILE_BYTES_MAX) throw tooLong("content");
  return bytes;
}

function tooLong(what: "file" | "content"): EngineError {
  return invalid(`The ${what} is larger than 1,000,000 bytes.`);
}

/** Opens the file for writing but does not write: this rejects a file without write permission before it is replaced. */
async function statWritableFile(
  root: FileRoot,
  folder: Folder,
  name: string,
): Promise<BigIntStats> {
  const found = await statRegularFile(folder, name);
  await judgeChild(root, folder, { name, identity: found, use: "content" });
  const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  await using handle = await open(`${folder.address}/${name}`, flags);
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) throw notAFile();
  await judgeChild(root, folder, { name, identity: stats, use: "content" });
  return stats;
}

/** Undefined if there is more: a file can grow while it is read, and some report size 0. */
async function readAtMost({ handle }: OpenFile, bytesMax: number): Promise<Uint8Array | undefined> {
  const bytes = await buffer(handle.createReadStream({ start: 0, end: bytesMax }));
  return bytes.length <= bytesMax ? bytes : undefined;
}
