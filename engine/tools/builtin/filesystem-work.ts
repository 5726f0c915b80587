import { type BigIntStats, constants } from "node:fs";
import {
  type FileHandle,
  lstat,
  mkdir,
  opendir,
  readdir,
  realpath,
  rename,
  rmdir,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import { isSameFile } from "../../files/folder.ts";
import { TEXT_FILE_BYTES_MAX } from "../../files/limits.ts";
import type { Judge } from "../../files/protected.ts";
import { isEngineFolder } from "../../files/relative-path.ts";
import { linkNoReplace, putInPlace, putNewFile } from "../../files/write.ts";
import { TOOL_LIST_ENTRIES_MAX, TOOL_READ_BYTES } from "../limits.ts";
import { ToolFailure } from "./builtin.ts";
import { checkFileText, decodePiece } from "./file-text.ts";
import { changedMeanwhile, type Held, hold, holdParent, holdReal, openHeld } from "./held-path.ts";
import { pageOf } from "./result-size.ts";

// The operations of the whole-machine tools. Paths are absolute and may cross links. Every file is held and judged before
// it is used.

// O_NONBLOCK: opening a FIFO would wait for a writer otherwise.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const WRITE_FLAGS = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);

/** A piece of a text file: whole lines, where these are not too long. */
interface Piece {
  content: string;
  /** The text before it; undefined if it is too long to be read for its lines. */
  before: string | undefined;
  sizeBytes: number;
  /** In bytes; null at the end of the file. */
  nextOffset: number | null;
  /** Whether it is shorter than it would be in a larger context window. */
  isCut: boolean;
  realPath: string;
}

/** The piece of a text file from so many bytes on. */
export async function readPiece(
  judge: Judge,
  path: string,
  { offset, resultBytesMax }: { offset: number; resultBytesMax: number },
): Promise<Piece> {
  await using held = await holdFile(judge, path);
  await using handle = await openHeld(held, READ_FLAGS);
  const buffer = Buffer.alloc(TOOL_READ_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
  const isLast = bytesRead < buffer.length;
  const text = decodePiece(buffer.subarray(0, bytesRead), isLast);
  const lines = isLast ? text : text.slice(0, text.lastIndexOf("\n") + 1 || text.length);
  const { length, isCut } = pageOf(lines, resultBytesMax);
  const content = lines.slice(0, length);
  const isEnd = isLast && length === text.length;
  return {
    content,
    before: offset <= TEXT_FILE_BYTES_MAX ? await readBefore(handle, offset) : undefined,
    sizeBytes: Math.max(Number(held.stats.size), offset + bytesRead),
    nextOffset: isEnd ? null : offset + Buffer.byteLength(content),
    isCut,
    realPath: held.realPath,
  };
}

async function readBefore(handle: FileHandle, offset: number): Promise<string> {
  const buffer = Buffer.alloc(offset);
  const { bytesRead } = await handle.read(buffer, 0, offset, 0);
  return buffer.toString("latin1", 0, bytesRead);
}

/** Sorted by name, up to a limit. */
export async function listEntries(judge: Judge, path: string, signal: AbortSignal) {
  await using held = await hold(judge, path);
  const entries: { name: string; type: string }[] = [];
  let hasMore = false;
  for await (const entry of await opendir(held.address)) {
    signal.throwIfAborted();
    if (entry.isDirectory() && isEngineFolder(entry.name)) continue;
    hasMore = entries.length === TOOL_LIST_ENTRIES_MAX;
    if (hasMore) break;
    entries.push({ name: entry.name, type: typeOf(entry) });
  }
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  return { entries, has_more: hasMore };
}

export async function describePath(judge: Judge, path: string) {
  await using held = await hold(judge, path, { follows: false });
  const { stats } = held;
  const leads_to = stats.isSymbolicLink() ? await realpath(path).catch(() => null) : undefined;
  if (leads_to) await judge({ path: leads_to });
  return {
    type: typeOf(stats),
    size_bytes: Number(stats.size),
    modified_at: stats.mtime.toISOString(),
    ...(leads_to !== undefined && { leads_to }),
  };
}

/** Creates a file in an existing folder, under an unused name. */
export async function createFile(judge: Judge, path: string, content: string): Promise<void> {
  checkFileText(content);
  await using folder = await holdParent(judge, path);
  await putNewFile(folder, basename(path), Buffer.from(content));
}

/** Replaces the content of an existing file, through links too; keeps its mode. */
export async function replaceFile(judge: Judge, path: string, content: string): Promise<void> {
  checkFileText(content);
  await using held = await holdFile(judge, path);
  await putInstead(judge, held, content);
}

/** Replaces the content of a text file by the result of `edit`. */
export async function editFile(
  judge: Judge,
  path: string,
  edit: (text: string) => string,
): Promise<void> {
  await using held = await holdFile(judge, path);
  const content = edit(await readAll(held));
  checkFileText(content);
  await putInstead(judge, held, content);
}

export async function createFolder(judge: Judge, path: string): Promise<void> {
  await using folder = await holdParent(judge, path);
  await mkdir(`${folder.address}/${basename(path)}`);
}

/** Never replaces an existing file. */
export async function movePath(judge: Judge, path: string, newPath: string): Promise<void> {
  await using from = await holdParent(judge, path);
  await using moved = await hold(judge, `${from.address}/${basename(path)}`, {
    follows: false,
    use: "whole",
  });
  await using to = await holdParent(judge, newPath);
  const source = `${from.address}/${basename(path)}`;
  const target = `${to.address}/${basename(newPath)}`;
  const isLinkable = !moved.stats.isDirectory();
  if (isLinkable && (await linkNoReplace(from, basename(path), to, basename(newPath)))) {
    await unlink(source);
    return;
  }
  const taken = await lstat(target).catch(() => undefined);
  if (taken) throw new ToolFailure("new_path: something already exists at this path.");
  await rename(source, target);
}

/** Deletes a link itself, never its target. */
export async function deletePath(judge: Judge, path: string, recursive: boolean): Promise<void> {
  if (parse(path).root === path) throw new ToolFailure("path: the root of a disk stays.");
  await using folder = await holdParent(judge, path);
  const address = `${folder.address}/${basename(path)}`;
  await using held = await hold(judge, address, { follows: false, use: "whole" });
  if (!held.stats.isDirectory()) await unlink(address);
  else if (recursive) await deleteTree(judge, join(folder.realPath, basename(path)));
  else await rmdir(address);
}

/** Each folder is held before its entries are deleted: one that becomes a link meanwhile is never entered. */
async function deleteTree(judge: Judge, top: string): Promise<void> {
  const folders = [top];
  for (const folder of folders) {
    await using held = await holdReal(judge, folder);
    for (const entry of await readdir(held.address, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else await unlink(`${held.address}/${entry.name}`);
    }
  }
  for (const folder of folders.reverse()) {
    await using parent = await holdReal(judge, dirname(folder));
    await rmdir(`${parent.address}/${basename(folder)}`);
  }
}

async function holdFile(judge: Judge, path: string): Promise<Held> {
  const held = await hold(judge, path, { use: "content" });
  if (held.stats.isFile()) return held;
  await held[Symbol.asyncDispose]();
  throw new ToolFailure("path: is not a regular file.");
}

async function readAll(held: Held): Promise<string> {
  if (held.stats.size > TEXT_FILE_BYTES_MAX) {
    throw new ToolFailure(`path: the file is larger than ${TEXT_FILE_BYTES_MAX} bytes.`);
  }
  await using handle = await openHeld(held, READ_FLAGS);
  return decodePiece(await handle.readFile(), true);
}

async function putInstead(judge: Judge, held: Held, content: string): Promise<void> {
  // Rejects a file without write permission before it is replaced.
  await (await openHeld(held, WRITE_FLAGS)).close();
  await using folder = await holdParent(judge, held.realPath);
  const name = basename(held.realPath);
  const now: BigIntStats = await lstat(`${folder.address}/${name}`, { bigint: true });
  if (!isSameFile(now, held.stats)) throw changedMeanwhile();
  await putInPlace(folder, name, Buffer.from(content), held.stats);
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
