import { existsSync } from "node:fs";
import { openFolderByDescriptor } from "./folder-by-descriptor.ts";
import { openFolderByPath } from "./folder-by-path.ts";

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

/**
 * Opens a folder below a root, segment by segment.
 * @throws EngineError `invalid` for the root, `forbidden` where any segment is a link, `not_found`; `wrongType` where the
 * last segment is no folder; or an error of the operating system.
 */
export type OpenFolder = (
  root: string,
  segments: readonly string[],
  wrongType: () => Error,
) => Promise<Folder>;

/** Whether what a descriptor holds has an address of its own: `/proc/self/fd/<number>`, on Linux. */
export const DESCRIPTORS_HAVE_ADDRESSES =
  process.platform === "linux" && existsSync("/proc/self/fd");

/**
 * On Linux a held descriptor has an address of its own, so nothing that happens to the path afterwards matters. Elsewhere
 * Node offers no such thing: there the path is checked before and after (decision E-FILES-19).
 */
export const openFolder: OpenFolder = DESCRIPTORS_HAVE_ADDRESSES
  ? openFolderByDescriptor
  : openFolderByPath;
