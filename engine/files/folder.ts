import { constants, existsSync } from "node:fs";

/** A folder that an operation holds while it works in it. */
export interface Folder extends AsyncDisposable {
  /** `<address>/<name>` is a child of this folder. Names are single segments, so no link but the child itself can be met. */
  readonly address: string;
  /**
   * Called once something was done through the address, before its result goes anywhere.
   * @throws EngineError `forbidden` where the address may have led elsewhere meanwhile.
   */
  check(): Promise<void>;
  /** Whether an opened child is what the folder has under that name. */
  holds(name: string, opened: FileIdentity): Promise<boolean>;
}

/** What tells one file from another, whatever it is called. */
export interface FileIdentity {
  dev: bigint;
  ino: bigint;
}

/** Whether two identities are of one file, whatever its names. */
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

/** Opens the place only (Linux; Node has no name for it). Needs no permission to read there. */
export const O_PATH = 0o10000000;

/** Opens a file for reading. O_NONBLOCK: opening a FIFO without a writer does not wait. */
export const READ_FLAGS =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
