import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf } from "../failures.ts";
import { decodeText } from "../text/decode.ts";

/** What became of reading a file. */
export type FileRead =
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "too-large" }
  /** It is not there any more, or no plain file within the root any more. */
  | { kind: "gone" }
  | { kind: "unreadable" };

const READ_BYTES = 65_536;
const IGNORE_FILE_BYTES_MAX = 1_000_000;

/**
 * The bytes of a file below a root whose path has no link in it. What was opened is checked, not what the path said a moment
 * before: no link is followed in any segment, and a pipe does not block.
 */
export function readFileWithin(root: string, path: string, bytesMax: number): FileRead {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  const absolute = join(root, path);
  let file: number;
  try {
    file = openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return { kind: /^(ENOENT|ENOTDIR|ELOOP|ENXIO)$/.test(codeOf(error)) ? "gone" : "unreadable" };
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || !isAt(file, absolute)) return { kind: "gone" };
    if (stats.size > bytesMax) return { kind: "too-large" };
    const bytes = readAll(file, stats.size, bytesMax);
    return bytes ? { kind: "bytes", bytes } : { kind: "too-large" };
  } catch {
    return { kind: "unreadable" };
  } finally {
    closeSync(file);
  }
}

/** The text of a small file such as `.gitignore`, or undefined. */
export function readSmallFile(root: string, path: string): string | undefined {
  const read = readFileWithin(root, path, IGNORE_FILE_BYTES_MAX);
  return read.kind === "bytes" ? decodeText(read.bytes) : undefined;
}

// The root is given as its real path, so an opened file that lies elsewhere came through a link.
function isAt(file: number, absolute: string): boolean {
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/self/fd/${file}`) === absolute;
    } catch {
      // No /proc here; the slower way knows it, too.
    }
  }
  if (realpathSync.native(absolute) !== absolute) return false;
  const [opened, named] = [fstatSync(file), lstatSync(absolute)];
  return opened.ino === named.ino && opened.dev === named.dev;
}

// To its end rather than to its size: a file may grow meanwhile.
function readAll(file: number, size: number, bytesMax: number): Uint8Array | undefined {
  let buffer = Buffer.allocUnsafe(Math.min(size, bytesMax) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > bytesMax) return undefined;
    if (length === buffer.length) buffer = Buffer.concat([buffer], length + READ_BYTES);
  }
}
