import { chmodSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemErrorCode } from "../../../shared/system-error.ts";
import { ENGINE_FOLDER } from "../../files/skipped-folders.ts";
import { RetrievalFailure } from "../failures.ts";

/** The index itself (Engine §2, hierarchy). */
export const SIDECAR_FILE = "sidecar.db";
/** A new index beside an unusable one, until it replaces that one. */
export const NEXT_FILE = "sidecar.next.db";

// The index has the text of files.
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** The stats of the folder, if it exists. @throws RetrievalFailure `invalid` if it is a link or not a folder. */
export function findSidecarFolder(root: string): string | undefined {
  const folder = join(root, ENGINE_FOLDER);
  const found = statOf(folder);
  if (!found) return undefined;
  if (found.isDirectory()) return folder;
  throw new RetrievalFailure("invalid", "The root's .engine must be a plain folder.");
}

/** Creates the folder if it is missing. @throws RetrievalFailure as `findSidecarFolder`. */
export function makeSidecarFolder(root: string): string {
  const folder = join(root, ENGINE_FOLDER);
  if (!findSidecarFolder(root)) {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
    chmodSync(folder, PRIVATE_FOLDER);
  }
  createFile(join(folder, ".gitignore"), "*\n");
  return folder;
}

/** Whether the file exists. @throws RetrievalFailure `invalid` if it is a link or not a file. */
export function hasSidecarFile(path: string): boolean {
  const found = statOf(path);
  if (!found) return false;
  if (found.isFile()) return true;
  throw new RetrievalFailure("invalid", "The root's index must be a plain file.");
}

/** Creates an empty private file if it is missing. */
export function makeSidecarFile(path: string): void {
  if (!hasSidecarFile(path)) createFile(path, "");
}

function createFile(path: string, text: string): void {
  try {
    // O_EXCL refuses a link, too, also one that leads nowhere.
    writeFileSync(path, text, { mode: PRIVATE_FILE, flag: "wx" });
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

function statOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
