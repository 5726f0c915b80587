import type { BigIntStats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { crossesLink, notAFile, notAFolder, pathNotFound, toFileError } from "./faults.ts";
import { type Folder, READ_FLAGS } from "./folder.ts";
import { FILE_OPEN_TRIES_MAX } from "./limits.ts";
import { openFolder } from "./open-folder.ts";
import { type Judge, type Opened, realPathOf } from "./protected.ts";
import { parseRelativePath } from "./relative-path.ts";

/** An open regular file of a root. */
export interface OpenFile extends AsyncDisposable {
  handle: FileHandle;
  sizeBytes: number;
}

/** The absolute path of a root. */
export interface FileRoot {
  path: string;
  /** Called for everything that is opened below the root, before it is used. */
  judge?: Judge | undefined;
  /** Real paths of folders that a search does not enter. */
  without?: readonly string[] | undefined;
}

const BIGINT = { bigint: true } as const;

/**
 * Works in a folder of a root; failures of the path become EngineErrors.
 * @throws `wrongType` if the path is not a folder.
 */
export async function withFolder<Result>(
  root: FileRoot,
  segments: readonly string[],
  use: (folder: Folder) => Promise<Result>,
  wrongType: () => Error = notAFolder,
): Promise<Result> {
  try {
    await using folder = await openFolder(root.path, segments, wrongType);
    await judgeFolder(root, folder);
    const result = await use(folder);
    await folder.check();
    return result;
  } catch (error) {
    throw toFileError(error);
  }
}

/** Works in the parent folder of the last segment. */
export function withParent<Result>(
  root: FileRoot,
  segments: readonly string[],
  use: (folder: Folder, name: string) => Promise<Result>,
): Promise<Result> {
  const parent = segments.slice(0, -1);
  return withFolder(root, parent, (folder) => use(folder, segments.at(-1) ?? ""), pathNotFound);
}

/**
 * Opens a regular file below a root for reading. Never crosses a link, nor waits for a FIFO or device.
 * @throws EngineError `invalid` for a malformed path or another type, `forbidden` for links and missing
 * permissions, `not_found`.
 */
export async function openWithin(root: FileRoot, relativePath: string): Promise<OpenFile> {
  const segments = parseRelativePath(relativePath);
  return withParent(root, segments, (folder, name) => openRegularFile(root, folder, name));
}

/** Has a child of a held folder judged. @throws the judge's error */
export async function judgeChild(
  { judge }: FileRoot,
  folder: Folder,
  { name, ...opened }: Omit<Opened, "path"> & { name: string },
): Promise<void> {
  await judge?.({ path: join(await realPathOf(folder.address), name), ...opened });
}

async function judgeFolder({ judge }: FileRoot, { address }: Folder): Promise<void> {
  if (!judge) return;
  const [path, identity] = await Promise.all([realPathOf(address), stat(address, BIGINT)]);
  await judge({ path, identity });
}

/** The stats of a folder's regular file. A link is 403, any other type 400. */
export async function statRegularFile(folder: Folder, name: string): Promise<BigIntStats> {
  const stats = await lstat(`${folder.address}/${name}`, { bigint: true });
  if (stats.isSymbolicLink()) throw crossesLink();
  if (!stats.isFile()) throw notAFile();
  return stats;
}

/** Opens it again where a writer replaced it meanwhile. A link that took its place is refused by the next look. */
async function openRegularFile(root: FileRoot, folder: Folder, name: string): Promise<OpenFile> {
  for (let tries = 0; tries < FILE_OPEN_TRIES_MAX; tries += 1) {
    const file = await openPresentFile(root, folder, name);
    if (file) return file;
  }
  throw crossesLink();
}

/** Undefined if the name has another file once it is open. */
async function openPresentFile(
  root: FileRoot,
  folder: Folder,
  name: string,
): Promise<OpenFile | undefined> {
  // Checked before it is opened: opening some devices has side effects.
  const found = await statRegularFile(folder, name);
  await judgeChild(root, folder, { name, identity: found, use: "content" });
  const handle = await open(`${folder.address}/${name}`, READ_FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notAFile();
    await folder.check();
    if (!(await folder.holds(name, stats))) {
      await handle.close();
      return undefined;
    }
    await judgeChild(root, folder, { name, identity: stats, use: "content" });
    const sizeBytes = Number(stats.size);
    return { handle, sizeBytes, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
