import { constants, existsSync } from "node:fs";

/** A folder that an operation holds. */
export interface Folder extends AsyncDisposable {
  /** `<address>/<name>` is a child of this folder. Names are single segments, so only the child itself can be a link. */
  readonly address: string;
  /**
   * Call it after each use of the address, before the result is used.
   * @throws EngineError `forbidden` if the address may have led elsewhere meanwhile.
   */
  check(): Promise<void>;
  /** Whether an opened child is the folder's entry of that name. */
  holds(name: string, opened: FileIdentity): Promise<boolean>;
}

/** The identity of a file, independent of its names. */
export interface FileIdentity {
  dev: bigint;
  ino: bigint;
}

/** Whether two identities are of one file. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** The identity as a key of sets and maps. */
export function identityKey({ dev, ino }: FileIdentity): string {
  return `${dev}:${ino}`;
}

/** Whether a descriptor has a path of its own: `/proc/self/fd/<number>`, on Linux. */
export const DESCRIPTORS_HAVE_ADDRESSES =
  process.platform === "linux" && existsSync("/proc/self/fd");

/** The path of a descriptor. It stays valid when the path that was opened leads elsewhere. */
export function addressOf({ fd }: { fd: number }): string {
  return `/proc/self/fd/${fd}`;
}

/** O_PATH: opens the path alone, without permission to read (Linux; Node has no name for it). */
export const O_PATH = 0o10000000;

/** Opens a file for reading. O_NONBLOCK: opening a FIFO without a writer does not wait. */
export const READ_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
