import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import { invalidRoot } from "../workspaces/roots.ts";
import { crossesLink, isGone, pathNotFound } from "./faults.ts";
import { type Folder, isSameFile } from "./folder.ts";

/**
 * `openFolder` if a folder is known by its path alone. Every segment is checked now, and again by `check`, which throws
 * if one is no longer the same folder.
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
