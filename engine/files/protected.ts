import { existsSync } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { forbidden } from "../errors.ts";
import { type FileIdentity, identityKey } from "./folder.ts";
import { PROTECTED_ENTRIES_MAX } from "./limits.ts";

/** A file or folder that an operation has opened, or is about to use in a held folder. */
export interface Opened {
  /** The real path. */
  path: string;
  identity?: FileIdentity;
  /** `whole`: moved or deleted with its content. `content`: the file itself is opened. */
  use?: "whole" | "content" | undefined;
}

/** Throws to refuse. Called with what was opened, before it is used. */
export type Judge = (opened: Opened) => Promise<void>;

/** A snapshot of the engine's own files. */
interface ProtectedThings {
  /** By path, or by identity: hard links and bind mounts. */
  covers(opened: Opened): boolean;
  /** A database file of this process: closing another descriptor of it would release its locks (POSIX). */
  isDatabase(identity: FileIdentity | undefined): boolean;
}

/**
 * The real paths of the protected places: the data directory with token, keys and database, and the engine's process in
 * /proc, whose memory holds the same.
 */
export async function listProtectedPlaces(dataDirectory: string): Promise<string[]> {
  const directory = await realpath(dataDirectory).catch(() => dataDirectory);
  return [...new Set([resolve(directory), resolve(dataDirectory), `/proc/${process.pid}`])];
}

/** Takes a snapshot: the identity of every file in the data directory. */
export async function lookAtProtected(dataDirectory: string): Promise<ProtectedThings> {
  const places = await listProtectedPlaces(dataDirectory);
  const names = await listIdentities(places[0] ?? dataDirectory);
  const coversPath = ({ path, use }: Opened) =>
    isOwnThread(path) ||
    places.some((place) => isWithin(place, path) || (use === "whole" && isWithin(path, place)));
  return {
    covers: (opened) =>
      coversPath(opened) ||
      (opened.identity !== undefined && names.has(identityKey(opened.identity))),
    isDatabase: (identity) =>
      identity !== undefined && /\.db(-wal|-shm)?$/.test(names.get(identityKey(identity)) ?? ""),
  };
}

/**
 * Refuses everything protected, on all ways without an approval: the file routes, and what is made of them.
 * @throws EngineError `forbidden`
 */
export function withholdProtected(dataDirectory: string): Judge {
  let looked: Promise<ProtectedThings> | undefined;
  return async (opened) => {
    looked ??= lookAtProtected(dataDirectory);
    if ((await looked).covers(opened)) throw forbidden("The engine's own data is withheld.");
  };
}

/** Whether `path` is `folder` or inside it. Both are absolute; case matters if the platform says so. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(fold(folder), fold(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way);
}

/** The real path of an address; that of a held descriptor is read, not resolved again. */
export function realPathOf(address: string): Promise<string> {
  return address.startsWith("/proc/self/fd/") ? readlink(address) : realpath(address);
}

// Every thread has an unlisted folder in /proc, too, which shows the same memory.
function isOwnThread(path: string): boolean {
  const id = /^\/proc\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id !== undefined && existsSync(`/proc/self/task/${id}`);
}

function fold(path: string): string {
  return process.platform === "linux" ? path : path.toLowerCase();
}

/** Opens nothing: closing a descriptor of a database would release its locks. */
async function listIdentities(directory: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const waiting = [directory];
  for (const path of waiting) {
    // A missing or deleted file has no identity.
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (!stats || stats.isSymbolicLink()) continue;
    names.set(identityKey(stats), path);
    const entries = stats.isDirectory() ? await readdir(path).catch(() => []) : [];
    const left = Math.max(PROTECTED_ENTRIES_MAX - waiting.length, 0);
    waiting.push(...entries.slice(0, left).map((name) => join(path, name)));
  }
  return names;
}
