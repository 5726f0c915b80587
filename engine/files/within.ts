import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { crossesLink, notAFile, notAFolder, pathNotFound, toFileError } from "./faults.ts";
import { type Folder, openFolder } from "./folder.ts";
import { parseRelativePath } from "./relative-path.ts";

/** A regular file of a root that is open. */
export interface OpenFile extends AsyncDisposable {
  handle: FileHandle;
  stats: BigIntStats;
  sizeBytes: number;
}

/** Where files are: the absolute path of a root. */
export interface FileRoot {
  path: string;
}

// O_NONBLOCK: whatever stands where a file was a moment ago, opening it does not wait (a FIFO without a writer would).
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Works in a folder of a root; failures come out as EngineErrors where the path is to blame.
 * @throws `wrongType` where the path leads to something that is no folder.
 */
export async function withFolder<Result>(
  root: FileRoot,
  segments: readonly string[],
  use: (folder: Folder) => Promise<Result>,
  wrongType: () => Error = notAFolder,
): Promise<Result> {
  try {
    await using folder = await openFolder(root.path, segments, wrongType);
    const result = await use(folder);
    await folder.check();
    return result;
  } catch (error) {
    throw toFileError(error);
  }
}

/** Works in the folder that has, or is to have, the last segment. */
export function withParent<Result>(
  root: FileRoot,
  segments: readonly string[],
  use: (folder: Folder, name: string) => Promise<Result>,
): Promise<Result> {
  const parent = segments.slice(0, -1);
  return withFolder(root, parent, (folder) => use(folder, segments.at(-1) ?? ""), pathNotFound);
}

/**
 * Opens a regular file below a root for reading, without crossing a link and without ever waiting for a FIFO or device.
 * @throws EngineError `invalid` for a path that cannot be one or is no file, `forbidden` for links and missing
 * permissions, `not_found`.
 */
export async function openWithin(root: FileRoot, relativePath: string): Promise<OpenFile> {
  const segments = parseRelativePath(relativePath);
  return withParent(root, segments, openRegularFile);
}

/** What a folder has under a name, where that is a regular file. Links are 403, everything else 400. */
export async function statRegularFile(folder: Folder, name: string): Promise<BigIntStats> {
  const stats = await lstat(`${folder.address}/${name}`, { bigint: true });
  if (stats.isSymbolicLink()) throw crossesLink();
  if (!stats.isFile()) throw notAFile();
  return stats;
}

async function openRegularFile(folder: Folder, name: string): Promise<OpenFile> {
  // Looked at before it is opened: the mere opening of some devices does something.
  await statRegularFile(folder, name);
  const handle = await open(`${folder.address}/${name}`, READ_FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notAFile();
    await folder.check();
    if (!(await folder.holds(name, stats))) throw crossesLink();
    return {
      handle,
      stats,
      sizeBytes: Number(stats.size),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
