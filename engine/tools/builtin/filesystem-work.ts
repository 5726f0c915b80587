import { type BigIntStats, constants } from "node:fs";
import {
  lstat,
  mkdir,
  open,
  opendir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from "node:fs/promises";
import { basename, dirname, parse } from "node:path";
import type { Folder } from "../../files/folder.ts";
import { linkNoReplace, putInPlace, putNewFile } from "../../files/write.ts";
import { TEXT_FILE_BYTES_MAX, TOOL_LIST_ENTRIES_MAX, TOOL_READ_BYTES } from "../../limits.ts";
import { ToolFailure } from "./builtin.ts";
import { checkFileText, decodePiece } from "./file-text.ts";

// What the whole-machine tools do once they were allowed to. Paths are absolute; folders may be reached through links.

// Opening a FIFO would wait for a writer otherwise.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A piece of a text file, and where the next one begins. */
export async function readPiece(path: string, offset: number) {
  await using handle = await open(path, READ_FLAGS);
  const stats = await handle.stat();
  if (!stats.isFile()) throw notAFile();
  const buffer = Buffer.alloc(TOOL_READ_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
  const isLast = bytesRead < buffer.length;
  const { text, sizeBytes } = decodePiece(buffer.subarray(0, bytesRead), isLast);
  const next_offset = isLast ? null : offset + sizeBytes;
  return { content: text, size_bytes: Math.max(stats.size, offset + bytesRead), next_offset };
}

/** The whole of a text file that is about to be changed. */
export async function readWhole(path: string): Promise<string> {
  await using handle = await open(path, READ_FLAGS);
  const stats = await handle.stat();
  if (!stats.isFile()) throw notAFile();
  if (stats.size > TEXT_FILE_BYTES_MAX) {
    throw new ToolFailure(`path: the file is larger than ${TEXT_FILE_BYTES_MAX} bytes.`);
  }
  return decodePiece(await handle.readFile(), true).text;
}

/** By name; at most so many that an answer stays readable. */
export async function listEntries(path: string, signal: AbortSignal) {
  const entries: { name: string; type: string }[] = [];
  let hasMore = false;
  for await (const entry of await opendir(path)) {
    signal.throwIfAborted();
    hasMore = entries.length === TOOL_LIST_ENTRIES_MAX;
    if (hasMore) break;
    entries.push({ name: entry.name, type: typeOf(entry) });
  }
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  return { entries, has_more: hasMore };
}

export async function describePath(path: string) {
  const stats = await lstat(path);
  const leads_to = stats.isSymbolicLink() ? await realpath(path).catch(() => null) : undefined;
  return {
    type: typeOf(stats),
    size_bytes: stats.size,
    modified_at: stats.mtime.toISOString(),
    ...(leads_to !== undefined && { leads_to }),
  };
}

/** In an existing folder, under a name that is free. */
export async function createFile(path: string, content: string): Promise<void> {
  checkFileText(content);
  await using folder = await holdParent(path);
  await putNewFile(folder, basename(path), Buffer.from(content));
}

/** The content of an existing file, also through a link; its mode stays. */
export async function replaceFile(path: string, content: string): Promise<void> {
  checkFileText(content);
  const real = await realpath(path);
  const before: BigIntStats = await stat(real, { bigint: true });
  if (!before.isFile()) throw notAFile();
  // One that may not be written is not replaced by the back door either.
  await (await open(real, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))).close();
  await using folder = await holdParent(real);
  await putInPlace(folder, basename(real), Buffer.from(content), before);
}

export async function createFolder(path: string): Promise<void> {
  await mkdir(path);
}

/** Never over something that is there. */
export async function movePath(path: string, newPath: string): Promise<void> {
  const moved = await lstat(path);
  await using from = await holdParent(path);
  await using to = await holdParent(newPath);
  const isLinkable = !moved.isDirectory();
  if (isLinkable && (await linkNoReplace(from, basename(path), to, basename(newPath)))) {
    await unlink(path);
    return;
  }
  const taken = await lstat(newPath).catch(() => undefined);
  if (taken) throw new ToolFailure("new_path: there is something at this path already.");
  await rename(path, newPath);
}

/** A link itself, never what it leads to. */
export async function deletePath(path: string, recursive: boolean): Promise<void> {
  if (parse(path).root === path) throw new ToolFailure("path: the root of a disk stays.");
  const stats = await lstat(path);
  if (!stats.isDirectory()) await unlink(path);
  else if (recursive) await rm(path, { recursive: true });
  else await rmdir(path);
}

async function holdParent(path: string): Promise<Folder> {
  const address = await realpath(dirname(path));
  if (!(await stat(address)).isDirectory()) throw new ToolFailure("The parent is not a folder.");
  return {
    address,
    // The whole machine may be reached: there is no root that a folder could have left.
    check: async () => {},
    holds: async () => true,
    [Symbol.asyncDispose]: async () => {},
  };
}

function typeOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): string {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

function notAFile(): ToolFailure {
  return new ToolFailure("path: is not a regular file.");
}
