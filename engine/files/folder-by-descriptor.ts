import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { systemErrorCode } from "../../shared/system-error.ts";
import { invalidRoot } from "../workspaces/roots.ts";
import { crossesLink, isGone } from "./faults.ts";
import { addressOf, type Folder, O_PATH } from "./folder.ts";

const FOLDER_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** `openFolder` on Linux: opens every segment in the descriptor of the one before, like `openat`. */
export async function openFolderByDescriptor(
  root: string,
  segments: readonly string[],
  wrongType: () => Error,
): Promise<Folder> {
  let held = await openRoot(root);
  for (const [at, segment] of segments.entries()) {
    await using parent = held;
    held = await openSegment(parent, segment, at === segments.length - 1 ? wrongType : undefined);
  }
  return {
    address: addressOf(held),
    check: async () => {},
    holds: async () => true,
    [Symbol.asyncDispose]: () => held.close(),
  };
}

async function openRoot(root: string): Promise<FileHandle> {
  try {
    return await open(root, FOLDER_FLAGS);
  } catch (error) {
    throw isGone(error, "ENAMETOOLONG") ? invalidRoot() : error;
  }
}

async function openSegment(
  parent: FileHandle,
  segment: string,
  wrongType: (() => Error) | undefined,
): Promise<FileHandle> {
  const child = `${addressOf(parent)}/${segment}`;
  try {
    return await open(child, FOLDER_FLAGS);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOTDIR") throw error;
    // A link and a file are both rejected; the answer depends on which of them it is.
    if ((await lstat(child)).isSymbolicLink()) throw crossesLink();
    throw wrongType?.() ?? error;
  }
}
