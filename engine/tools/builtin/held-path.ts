import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  addressOf,
  DESCRIPTORS_HAVE_ADDRESSES,
  type Folder,
  isSameFile,
  O_PATH,
} from "../../files/folder.ts";
import type { Judge, Opened } from "../../files/protected.ts";
import { ToolFailure } from "./builtin.ts";

/** A file or folder that an operation holds, so that it uses what was judged. */
export interface Held extends AsyncDisposable {
  /** A path to the held file that stays valid when its own path changes. */
  readonly address: string;
  /** The real path at the time of opening. */
  readonly realPath: string;
  readonly stats: BigIntStats;
}

/** Whether a link at the end is followed, and the use. */
interface HoldOptions {
  follows?: boolean;
  use?: Opened["use"];
}

/**
 * Holds a path and has it judged. On Linux the descriptor is opened with O_PATH, so no content is opened before it was
 * judged. Elsewhere the path is judged first, and compared once it is open.
 * @throws the judge's error, or an error of the operating system
 */
export async function hold(
  judge: Judge,
  path: string,
  { follows = true, use }: HoldOptions = {},
): Promise<Held> {
  const held = await (DESCRIPTORS_HAVE_ADDRESSES ? holdByDescriptor : holdByPath)(path, follows);
  try {
    await judge({ path: held.realPath, identity: held.stats, use });
    return held;
  } catch (error) {
    await held[Symbol.asyncDispose]();
    throw error;
  }
}

/** Holds the file with this real path. @throws ToolFailure if a link appeared on the path */
export async function holdReal(judge: Judge, realPath: string): Promise<Held> {
  const held = await hold(judge, realPath, { follows: false });
  if (held.realPath === realPath) return held;
  await held[Symbol.asyncDispose]();
  throw changedMeanwhile();
}

/** Holds the parent folder of a path; its child is judged, too. */
export async function holdParent(judge: Judge, path: string): Promise<Folder & Held> {
  const held = await hold(judge, dirname(path));
  try {
    if (!held.stats.isDirectory()) throw new ToolFailure("The parent is not a folder.");
    await judge({ path: join(held.realPath, basename(path)) });
    // There is no root that the folder could have left.
    return { ...held, check: async () => {}, holds: async () => true };
  } catch (error) {
    await held[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the held file. @throws ToolFailure if its path leads elsewhere by now (not on Linux) */
export async function openHeld(held: Held, flags: number): Promise<FileHandle> {
  const handle = await open(held.address, flags);
  if (isSameFile(await handle.stat({ bigint: true }), held.stats)) return handle;
  await handle.close();
  throw changedMeanwhile();
}

/** The path leads to another file than before. */
export function changedMeanwhile(): ToolFailure {
  return new ToolFailure("The path was changed while it was being used. Try again.");
}

async function holdByDescriptor(path: string, follows: boolean): Promise<Held> {
  const handle = await open(path, O_PATH | (follows ? 0 : constants.O_NOFOLLOW));
  try {
    const address = addressOf(handle);
    const [stats, realPath] = await Promise.all([handle.stat({ bigint: true }), readlink(address)]);
    return { address, realPath, stats, [Symbol.asyncDispose]: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function holdByPath(path: string, follows: boolean): Promise<Held> {
  const realPath = follows
    ? await realpath(path)
    : join(await realpath(dirname(path)), basename(path));
  const stats = await (follows ? stat : lstat)(realPath, { bigint: true });
  return { address: realPath, realPath, stats, [Symbol.asyncDispose]: async () => {} };
}
