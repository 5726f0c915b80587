import type { BigIntStats } from "node:fs";
import { lstat, mkdir, open, rename, rmdir, unlink } from "node:fs/promises";
import { systemErrorCode } from "../../shared/system-error.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { conflict, type EngineError, invalid } from "../errors.ts";
import { resolveRoot } from "../workspaces/roots.ts";
import { refuseTaken } from "./directory.ts";
import { crossesLink } from "./faults.ts";
import type { Folder } from "./folder.ts";
import type { Judge } from "./protected.ts";
import { joinPath, parseRelativePath } from "./relative-path.ts";
import type { FileEntry, MovePath } from "./wire.ts";
import { judgeChild, withFolder, withParent } from "./within.ts";
import { linkNoReplace } from "./write.ts";

interface HeldChild {
  folder: Folder;
  name: string;
}

/**
 * Moves a file or folder into an existing folder of the same root; its name stays.
 * @throws EngineError `invalid` for another root, itself, a folder below itself or no folder; `conflict` if the name
 * is taken there; `forbidden`; `not_found`.
 */
export async function moveEntry(
  workspace: Pick<WorkspaceRow, "directories" | "ragConfig">,
  move: MovePath,
  judge?: Judge,
): Promise<FileEntry> {
  const source = parseRelativePath(move.sourcePath, { field: "sourcePath" });
  const target = parseRelativePath(move.destinationPath, {
    field: "destinationPath",
    rootAllowed: true,
  });
  const root = { ...(await resolveRoot(workspace, move.sourceRootIndex)), judge };
  await resolveRoot(workspace, move.destinationRootIndex);
  if (move.sourceRootIndex !== move.destinationRootIndex) {
    throw invalid("Files cannot be moved from one root to another. Choose a folder of one root.");
  }
  if (startsWith(target, source)) throw intoItself();
  return withParent(root, source, (from, name) =>
    withFolder(root, target, async (to) => {
      const moved = await statMovable({ folder: from, name });
      await judgeChild(root, from, { name, identity: moved, use: "whole" });
      await judgeChild(root, to, { name });
      await from.check();
      await to.check();
      const isDirectory = moved.isDirectory();
      const here = { folder: from, name };
      const there = { folder: to, name };
      if (isDirectory) await moveOverReservation(here, there, reserveFolder);
      else await moveFile(here, there, moved);
      return { name, relativePath: joinPath(...target, name), isDirectory };
    }),
  );
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((segment, at) => path[at] === segment);
}

function intoItself(): EngineError {
  return invalid("A file or folder cannot be moved into itself. Choose another folder.");
}

async function statMovable({ folder, name }: HeldChild): Promise<BigIntStats> {
  const stats = await lstat(`${folder.address}/${name}`, { bigint: true });
  if (stats.isSymbolicLink()) throw crossesLink();
  if (stats.isFile() || stats.isDirectory()) return stats;
  throw invalid("Only regular files and folders can be moved.");
}

/**
 * Links the new name, then removes the old one: unlike a rename this never replaces another program's file.
 */
async function moveFile(from: HeldChild, to: HeldChild, before: BigIntStats): Promise<void> {
  try {
    if (!(await linkNoReplace(from.folder, from.name, to.folder, to.name))) {
      await moveOverReservation(from, to, reserveFile);
      return;
    }
  } catch (error) {
    throw toMoveError(error);
  }
  try {
    await unlinkOld(from, to, before);
  } catch (error) {
    // The file has two names now: removing the new one undoes the move.
    await unlink(addressOf(to)).catch(() => {});
    throw error;
  }
}

/** Unlinks only what was linked: another program may have saved a newer file, or a link, under the old name. */
async function unlinkOld(from: HeldChild, to: HeldChild, before: BigIntStats): Promise<void> {
  const [linked, now] = await Promise.all([look(to), look(from)]);
  if (linked?.isSymbolicLink() || now?.isSymbolicLink()) throw crossesLink();
  if (linked?.ino !== before.ino || now?.ino !== before.ino) throw changedMeanwhile();
  await unlink(addressOf(from));
}

interface Reservation {
  make(address: string): Promise<void>;
  remove(address: string): Promise<void>;
}

const reserveFolder: Reservation = { make: (address) => mkdir(address), remove: rmdir };

const reserveFile: Reservation = {
  make: async (address) => (await open(address, "wx")).close(),
  remove: unlink,
};

/**
 * Creates an empty folder under the new name, which fails if it is taken, then renames over it. A rename replaces an
 * empty folder, but not one that another program filled meanwhile. Windows never renames over a folder, so it needs no
 * such reservation.
 */
async function moveOverReservation(
  from: HeldChild,
  to: HeldChild,
  reservation: Reservation,
): Promise<void> {
  if (process.platform === "win32" && reservation === reserveFolder) {
    return rename(addressOf(from), addressOf(to)).catch((error) => {
      throw toMoveError(error);
    });
  }
  try {
    await reservation.make(addressOf(to));
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return refuseTaken(to.folder, to.name);
    throw error;
  }
  try {
    await rename(addressOf(from), addressOf(to));
  } catch (error) {
    await reservation.remove(addressOf(to)).catch(() => {});
    throw toMoveError(error);
  }
}

function toMoveError(error: unknown): unknown {
  switch (systemErrorCode(error)) {
    case "EINVAL":
      return intoItself();
    case "EXDEV":
      return invalid("The folder is on another file system. Choose one on the same file system.");
    case "EEXIST":
    case "ENOTEMPTY":
      return conflict("A file or folder with that name already exists.");
    case "EISDIR":
    case "ENOTDIR":
      return changedMeanwhile();
    default:
      return error;
  }
}

function changedMeanwhile(): EngineError {
  return conflict("The file was changed while it was being moved. Try again.");
}

async function look(child: HeldChild): Promise<BigIntStats | undefined> {
  return lstat(addressOf(child), { bigint: true }).catch(() => undefined);
}

function addressOf({ folder, name }: HeldChild): string {
  return `${folder.address}/${name}`;
}
