import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import { systemErrorCode } from "../../shared/system-error.ts";
import { conflict } from "../errors.ts";
import { crossesLink } from "./faults.ts";
import type { Folder } from "./folder.ts";
import { isAddressable, isEngineFolder, joinPath, parseRelativePath } from "./relative-path.ts";
import { Slices, sortInSlices } from "./slices.ts";
import type { FileEntry } from "./wire.ts";
import { type FileRoot, judgeChild, withFolder, withParent } from "./within.ts";

/**
 * The regular files and folders of a folder: folders first, then by name, ignoring case. Links and special files are left
 * out, since no operation accepts them.
 * @throws EngineError `invalid` if it is not a folder, `forbidden`, `not_found`.
 */
export async function listDirectory(root: FileRoot, path: string): Promise<FileEntry[]> {
  const segments = parseRelativePath(path, { rootAllowed: true, isFolder: true });
  const found = await withFolder(root, segments, async (folder) => {
    const entries = await readdir(folder.address, { withFileTypes: true });
    return keepUsable(folder, entries);
  });
  const keyed = found.map((entry) => ({ ...entry, key: entry.name.toLowerCase() }));
  const sorted = await sortInSlices(keyed, compareEntries);
  return sorted.map(({ name, isDirectory }) => ({
    name,
    relativePath: joinPath(...segments, name),
    isDirectory,
  }));
}

/**
 * Creates one folder in an existing one.
 * @throws EngineError `conflict` if the name is taken, `forbidden` if a link has it, `not_found` for the parent.
 */
export async function createDirectory(root: FileRoot, path: string): Promise<FileEntry> {
  const segments = parseRelativePath(path, { isFolder: true });
  return withParent(root, segments, async (folder, name) => {
    await judgeChild(root, folder, { name });
    try {
      await mkdir(`${folder.address}/${name}`);
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
      await refuseTaken(folder, name);
    }
    return { name, relativePath: joinPath(...segments), isDirectory: true };
  });
}

/**
 * Reports a taken name.
 * @throws EngineError always: `forbidden` if a link has the name, `conflict` otherwise.
 */
export async function refuseTaken(folder: Folder, name: string): Promise<never> {
  const stats = await lstat(`${folder.address}/${name}`).catch(() => undefined);
  if (stats?.isSymbolicLink()) throw crossesLink();
  throw conflict("A file or folder with that name already exists.");
}

interface Found {
  name: string;
  isDirectory: boolean;
}

async function keepUsable(folder: Folder, entries: readonly Dirent[]): Promise<Found[]> {
  const found: Found[] = [];
  const slices = new Slices();
  for (const entry of entries) {
    const pause = slices.step();
    if (pause) await pause;
    const isDirectory = entry.isDirectory();
    if (!isDirectory && !entry.isFile()) continue;
    if (!isAddressable(entry.name) || (isDirectory && isEngineFolder(entry.name))) continue;
    if (isMaybeGarbled(entry.name) && !(await exists(folder, entry.name))) continue;
    found.push({ name: entry.name, isDirectory });
  }
  return found;
}

/** Whether the name may stem from bytes that are not UTF-8: then it does not name the file. */
function isMaybeGarbled(name: string): boolean {
  return name.includes("\uFFFD");
}

async function exists(folder: Folder, name: string): Promise<boolean> {
  return lstat(`${folder.address}/${name}`).then(
    () => true,
    () => false,
  );
}

function compareEntries(one: Found & { key: string }, other: Found & { key: string }): number {
  if (one.isDirectory !== other.isDirectory) return one.isDirectory ? -1 : 1;
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
