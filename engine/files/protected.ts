import { existsSync } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { PROTECTED_ENTRIES_MAX } from "../limits.ts";
import { type FileIdentity, identityKey } from "./folder.ts";

/** What an operation has opened, or is about to use in a folder that it holds. */
export interface Opened {
  /** Absolute and without any link, as the system calls it. */
  path: string;
  identity?: FileIdentity;
  /** `whole`: moved or deleted with all that is in it. `content`: the file itself is opened. */
  use?: "whole" | "content" | undefined;
}

/** Refuses by throwing. It is called with what was opened, before anything is done with it. */
export type Judge = (opened: Opened) => Promise<void>;

/** What the engine keeps for itself, at one moment. */
interface ProtectedThings {
  /** By its path, or, whatever it is called, by its identity: hard links and bind mounts. */
  covers(opened: Opened): boolean;
  /** A database file of this process: closing another descriptor of it would give up its locks (POSIX). */
  isDatabase(identity: FileIdentity | undefined): boolean;
}

/**
 * The protected places, called by their real paths: the data directory with token, keys and database, and the engine's own
 * process as Linux shows it, whose memory has the same.
 */
export async function listProtectedPlaces(dataDirectory: string): Promise<string[]> {
  const directory = await realpath(dataDirectory).catch(() => dataDirectory);
  return [...new Set([resolve(directory), resolve(dataDirectory), `/proc/${process.pid}`])];
}

/** Looks at the data directory and remembers the identity of everything in it. */
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

/** Whether `path` is `folder` or lies in it. Both are absolute; case counts only where the platform says so. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(fold(folder), fold(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way);
}

/** The real path of what an address leads to; that of a held descriptor is read, not resolved again. */
export function realPathOf(address: string): Promise<string> {
  return address.startsWith("/proc/self/fd/") ? readlink(address) : realpath(address);
}

// Every thread has a folder in /proc as well, which is not listed there and shows the same memory.
function isOwnThread(path: string): boolean {
  const id = /^\/proc\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id !== undefined && existsSync(`/proc/self/task/${id}`);
}

function fold(path: string): string {
  return process.platform === "linux" ? path : path.toLowerCase();
}

/** Nothing is opened: closing a descriptor of a database would give up its locks. */
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
