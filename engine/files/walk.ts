import { closeSync, constants, type Dirent, open as openCallback, readlinkSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { FILE_SEARCH_READS_AT_ONCE } from "../limits.ts";
import { DESCRIPTORS_HAVE_ADDRESSES } from "./folder.ts";
import { addressOf } from "./folder-by-descriptor.ts";
import { joinPath } from "./relative-path.ts";
import { type FileRoot, withFolder } from "./within.ts";

/** One folder that a walk came through. */
export interface WalkedFolder {
  /** Relative to the root; empty for the root itself. */
  path: string;
  /** Regular files and folders only: links are neither listed nor followed. Undefined where it could not be read. */
  entries: readonly Dirent[] | undefined;
}

export interface WalkOptions {
  /** Asked for every folder below the root. */
  enters(name: string, path: string): boolean;
  signal?: AbortSignal | undefined;
}

const FOLDER_FLAGS =
  constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

const openDescriptor = promisify(openCallback);

/**
 * Every folder of a root, nearest first and in one order whatever the disk answers first; several are read ahead. No
 * name comes from outside the root, also where folders are swapped for links meanwhile.
 * @throws the signal's reason; EngineError `invalid` where the root cannot be used.
 */
export async function* walkFolders(
  root: FileRoot,
  { enters, signal }: WalkOptions,
): AsyncGenerator<WalkedFolder> {
  await using reader = await openReader(root);
  const waiting = [""];
  const ahead: Promise<WalkedFolder>[] = [];
  let next = 0;
  try {
    while (next < waiting.length || ahead.length > 0) {
      for (; ahead.length < FILE_SEARCH_READS_AT_ONCE && next < waiting.length; next += 1) {
        ahead.push(readFolder(reader, waiting[next] ?? ""));
      }
      const folder = await ahead.shift();
      signal?.throwIfAborted();
      if (!folder) break;
      for (const name of folderNames(folder)) {
        const path = joinPath(folder.path, name);
        if (enters(name, path)) waiting.push(path);
      }
      yield folder;
    }
  } finally {
    // Their descriptors are reached through the root's: it closes last.
    await Promise.all(ahead);
  }
}

function folderNames({ entries = [] }: WalkedFolder): string[] {
  const names: string[] = [];
  for (const entry of entries) if (entry.isDirectory()) names.push(entry.name);
  return names.sort();
}

async function readFolder(reader: FolderReader, path: string): Promise<WalkedFolder> {
  try {
    return { path, entries: await reader.read(path) };
  } catch {
    // Gone meanwhile, swapped for a link, or closed to this account: the walk goes on without it.
    return { path, entries: undefined };
  }
}

interface FolderReader extends AsyncDisposable {
  /** @throws where the folder cannot be read. */
  read(path: string): Promise<Dirent[]>;
}

async function openReader(root: FileRoot): Promise<FolderReader> {
  const readBySegments = (path: string) =>
    withFolder(root, path === "" ? [] : path.split("/"), (folder) =>
      readdir(folder.address, { withFileTypes: true }),
    );
  if (!DESCRIPTORS_HAVE_ADDRESSES) {
    await readBySegments("");
    return { read: readBySegments, [Symbol.asyncDispose]: async () => {} };
  }
  // Through `withFolder` once, so that the root is refused as everywhere else.
  const held = await withFolder(root, [], (folder) =>
    open(folder.address, FOLDER_FLAGS & ~constants.O_NOFOLLOW),
  );
  const top = whereIs(held.fd);
  return {
    read: (path) => readHeld(held.fd, top, path, readBySegments),
    [Symbol.asyncDispose]: () => held.close(),
  };
}

/**
 * A folder in one step rather than one per segment: a link could be met on the way, so the kernel is asked where the
 * descriptor really is before anything is read from it. In doubt the segments decide.
 */
async function readHeld(
  rootDescriptor: number,
  top: string,
  path: string,
  otherwise: (path: string) => Promise<Dirent[]>,
): Promise<Dirent[]> {
  const address = addressOf({ fd: rootDescriptor });
  if (path === "") return readdir(address, { withFileTypes: true });
  const descriptor = await openDescriptor(`${address}/${path}`, FOLDER_FLAGS).catch(
    () => undefined,
  );
  if (descriptor === undefined) return otherwise(path);
  try {
    if (whereIs(descriptor) !== `${top}/${path}`) return await otherwise(path);
    return await readdir(addressOf({ fd: descriptor }), { withFileTypes: true });
  } finally {
    // Closing a folder that was only read has nothing to wait for.
    closeSync(descriptor);
  }
}

/** Where a descriptor is in the file system; answered from the kernel's memory, so this waits for no disk. */
function whereIs(fd: number): string {
  const place = readlinkSync(addressOf({ fd }));
  return place === "/" ? "" : place;
}
