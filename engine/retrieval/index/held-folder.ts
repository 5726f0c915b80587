import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { DESCRIPTORS_HAVE_ADDRESSES } from "../../files/folder.ts";
import { codeOf } from "../failures.ts";

/** A folder that a walk is in. */
export interface HeldFolder extends Disposable {
  /** In the order of their names. */
  entries: readonly Dirent[];
  /** Of an entry, without following a link. */
  stat(name: string): BigIntStats | undefined;
}

/**
 * Opens a folder below a root whose path has no link in it. Names of another folder never come from it, even where a link is
 * put in its place meanwhile: names are information, too. "gone" stands for what is no plain folder of the root any more.
 */
export function holdFolder(root: string, path: string): HeldFolder | "gone" | "unreadable" {
  const absolute = resolve(root, path);
  try {
    return (DESCRIPTORS_HAVE_ADDRESSES ? openFolder(absolute) : checkFolder(absolute)) ?? "gone";
  } catch (error) {
    // Only the root must be there: it was a moment ago. Below it, folders come and go.
    return path !== "" && GONE.test(codeOf(error)) ? "gone" : "unreadable";
  }
}

const GONE = /^(ENOENT|ENOTDIR|ELOOP)$/;

// A held descriptor has an address of its own: what happens to the path meanwhile does not matter.
function openFolder(absolute: string): HeldFolder | undefined {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  const folder = openSync(absolute, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const address = `/proc/self/fd/${folder}`;
  const close = () => closeSync(folder);
  try {
    if (readlinkSync(address) === absolute) {
      return { entries: entriesOf(address), stat: statOf(address), [Symbol.dispose]: close };
    }
  } catch (error) {
    close();
    throw error;
  }
  close();
  return undefined;
}

// Checked before and after each use. A narrow window remains, as for all file operations on such systems.
function checkFolder(absolute: string): HeldFolder | undefined {
  const before = lstatSync(absolute, { bigint: true });
  const isThere = () => {
    const now = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    const isSame = now?.isDirectory() && now.ino === before.ino && now.dev === before.dev;
    return isSame === true && realpathSync.native(absolute) === absolute;
  };
  const entries = isThere() ? entriesOf(absolute) : [];
  if (!isThere()) return undefined;
  const stat = (name: string) => {
    const stats = statOf(absolute)(name);
    return isThere() ? stats : undefined;
  };
  return { entries, stat, [Symbol.dispose]() {} };
}

function entriesOf(address: string): Dirent[] {
  const entries = readdirSync(address, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function statOf(address: string): (name: string) => BigIntStats | undefined {
  return (name) => lstatSync(join(address, name), { bigint: true, throwIfNoEntry: false });
}
