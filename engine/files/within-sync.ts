import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { isGone } from "./faults.ts";
import { addressOf, DESCRIPTORS_HAVE_ADDRESSES, isSameFile, READ_FLAGS } from "./folder.ts";

// The synchronous form of `within.ts`, for a thread that may block: it saves most of the time of an index run. The root is
// a real path, so an opened file with another real path was reached through a link.

/** A folder that a walk holds. */
export interface HeldFolder extends Disposable {
  /** Sorted by name. */
  entries: readonly Dirent[];
  /** The stats of an entry, without following a link. */
  stat(name: string): BigIntStats | undefined;
}

/**
 * Opens a folder below a root. Names of another folder are never read, even if a link replaces the folder meanwhile.
 * "gone" means that the path is not a plain folder of the root any more.
 */
export function holdFolder(root: string, path: string): HeldFolder | "gone" | "unreadable" {
  try {
    using opening = new DisposableStack();
    const opened = opening.use(openFolder(resolve(root, path)));
    if (!opened) return "gone";
    const entries = entriesOf(opened.address);
    if (!opened.isThere()) return "gone";
    const stat = (name: string) => {
      const look = { bigint: true, throwIfNoEntry: false } as const;
      const stats = lstatSync(join(opened.address, name), look);
      return opened.isThere() ? stats : undefined;
    };
    const held = opening.move();
    return { entries, stat, [Symbol.dispose]: () => held.dispose() };
  } catch (error) {
    // A missing root is an error: it existed a moment ago. A folder below it may have been deleted.
    return path !== "" && isGone(error) ? "gone" : "unreadable";
  }
}

/**
 * The result of `use`, which gets an address of a folder below a root; undefined if the path is not a plain folder of the
 * root any more. The address is valid until `use` returns. @throws if the folder cannot be opened, and what `use` throws.
 */
export function useFolder<Result>(
  root: string,
  path: string,
  use: (address: string) => Result,
): Result | undefined {
  try {
    using opened = openFolder(resolve(root, path));
    return opened && use(opened.address);
  } catch (error) {
    if (path !== "" && isGone(error)) return undefined;
    throw error;
  }
}

interface OpenFolder extends Disposable {
  address: string;
  /** Whether the address still leads to the folder; ask after each use, before the result counts. */
  isThere(): boolean;
}

/** Undefined if the path is no plain folder, or is reached through a link. */
function openFolder(absolute: string): OpenFolder | undefined {
  if (!DESCRIPTORS_HAVE_ADDRESSES) return checkFolder(absolute);
  using opening = new DisposableStack();
  const fd = openSync(absolute, READ_FLAGS | constants.O_DIRECTORY);
  opening.defer(() => closeSync(fd));
  const address = addressOf({ fd });
  if (readlinkSync(address) !== absolute) return undefined;
  const held = opening.move();
  return { address, isThere: () => true, [Symbol.dispose]: () => held.dispose() };
}

// Checks before and after each use. A narrow race remains, as for all file operations on such systems.
function checkFolder(absolute: string): OpenFolder | undefined {
  const before = lstatSync(absolute, { bigint: true });
  const isThere = () => {
    const now = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
    return (
      now?.isDirectory() === true &&
      isSameFile(now, before) &&
      realpathSync.native(absolute) === absolute
    );
  };
  return isThere() ? { address: absolute, isThere, [Symbol.dispose]() {} } : undefined;
}

function entriesOf(address: string): Dirent[] {
  const entries = readdirSync(address, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

type FileRead =
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "too-large" }
  /** The path is not a plain file of the root any more. */
  | { kind: "gone" }
  | { kind: "unreadable" };

const READ_BYTES = 65_536;

/** The bytes of a regular file below a root. The opened file is checked, not its path. No link is followed. */
export function readFileWithin(root: string, path: string, bytesMax: number): FileRead {
  const absolute = join(root, path);
  let fd: number;
  try {
    fd = openSync(absolute, READ_FLAGS);
  } catch (error) {
    return { kind: isGone(error, "ENXIO") ? "gone" : "unreadable" };
  }
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile() || !isAt(fd, absolute, stats)) return { kind: "gone" };
    if (stats.size > bytesMax) return { kind: "too-large" };
    const bytes = readAll(fd, Number(stats.size), bytesMax);
    return bytes ? { kind: "bytes", bytes } : { kind: "too-large" };
  } catch {
    return { kind: "unreadable" };
  } finally {
    closeSync(fd);
  }
}

function isAt(fd: number, absolute: string, opened: BigIntStats): boolean {
  if (DESCRIPTORS_HAVE_ADDRESSES) return readlinkSync(addressOf({ fd })) === absolute;
  if (realpathSync.native(absolute) !== absolute) return false;
  return isSameFile(opened, lstatSync(absolute, { bigint: true }));
}

// Reads to the end, not to the size: a file can grow while it is read.
function readAll(fd: number, size: number, bytesMax: number): Uint8Array | undefined {
  let buffer = Buffer.allocUnsafe(Math.min(size, bytesMax) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > bytesMax) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer], length + READ_BYTES);
  }
}
