import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import path from "node:path";
import { systemErrorCode } from "../../shared/system-error.ts";
import { invalidRoot } from "../workspaces/roots.ts";
import { crossesLink, isGone, pathNotFound } from "./faults.ts";
import {
  addressOf,
  DESCRIPTORS_HAVE_ADDRESSES,
  type Folder,
  isSameFile,
  O_PATH,
} from "./folder.ts";

/**
 * Opens a folder below a root, segment by segment. On Linux a held descriptor has a path of its own, so later changes of the
 * original path do not matter. Node has nothing like it elsewhere: there the path is checked before and after (decision
 * E-FILES-19).
 * @throws EngineError `invalid` for the root, `forbidden` if any segment is a link, `not_found`; `wrongType` if the
 * last segment is not a folder; or an error of the operating system.
 */
export const openFolder = DESCRIPTORS_HAVE_ADDRESSES ? openFolderByDescriptor : openFolderByPath;

const FOLDER_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens every segment in the descriptor of the one before, like `openat`. @internal for tests */
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

/**
 * A folder that is known by its path alone. Every segment is checked now, and again by `check`, which throws if one is no
 * longer the same folder. @internal for tests
 */
export async function openFolderByPath(
  root: string,
  segments: readonly string[],
  wrongType: () => Error,
): Promise<Folder> {
  const chain = [{ place: root, found: await lookAtRoot(root) }];
  let place = root;
  for (const [at, segment] of segments.entries()) {
    place = path.join(place, segment);
    chain.push({
      place,
      found: await lookAtSegment(place, at === segments.length - 1 ? wrongType : pathNotFound),
    });
  }
  const address = place;
  return {
    address,
    check: async () => {
      for (const { place, found } of chain) {
        const now = await lookAt(place);
        if (!now || !isSameFile(now, found)) throw crossesLink();
      }
    },
    holds: async (name, opened) => {
      const found = await lookAt(path.join(address, name));
      return found !== undefined && isSameFile(found, opened);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function lookAtRoot(root: string): Promise<BigIntStats> {
  const found = await lookAt(root);
  if (!found?.isDirectory()) throw invalidRoot();
  return found;
}

async function lookAtSegment(place: string, wrongType: () => Error): Promise<BigIntStats> {
  const found = await lstat(place, { bigint: true });
  if (found.isSymbolicLink()) throw crossesLink();
  if (!found.isDirectory()) throw wrongType();
  return found;
}

async function lookAt(place: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(place, { bigint: true });
  } catch (error) {
    if (isGone(error, "ENAMETOOLONG")) return undefined;
    throw error;
  }
}
