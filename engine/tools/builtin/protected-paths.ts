import { existsSync } from "node:fs";
import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { EngineDeps } from "../../deps.ts";
import { errorNumberName } from "../../files/faults.ts";
import { LINKS_FOLLOWED_MAX } from "../../limits.ts";

type ProtectDeps = Pick<EngineDeps, "config">;

/**
 * Whether a path leads into what the engine keeps for itself: its data directory with token, keys and database, and its
 * own process as Linux shows it, whose memory has the same. Links are followed, also where nothing is at their end.
 */
export async function isProtected(deps: ProtectDeps, path: string): Promise<boolean> {
  const [places, targets] = await Promise.all([listProtected(deps), listMeanings(path)]);
  return targets.some(
    (target) => isOwnThread(target) || places.some((place) => isWithin(place, target)),
  );
}

/** Whether what happens to a folder as a whole happens to something protected. */
export async function holdsProtected(deps: ProtectDeps, path: string): Promise<boolean> {
  const [places, targets] = await Promise.all([listProtected(deps), listMeanings(path)]);
  return targets.some((target) =>
    places.some((place) => isWithin(place, target) || isWithin(target, place)),
  );
}

// Every thread has a folder in /proc as well, which is not listed there and shows the same memory.
function isOwnThread(path: string): boolean {
  const id = /^\/proc\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id !== undefined && existsSync(`/proc/self/task/${id}`);
}

/** The protected places as they are called without any link, for walks that leave them out. */
export async function listProtected({ config }: ProtectDeps): Promise<string[]> {
  const directory = await realpath(config.dataDirectory).catch(() => config.dataDirectory);
  return [resolve(directory), resolve(config.dataDirectory), `/proc/${process.pid}`];
}

/** Whether `path` is `folder` or lies in it. Both are absolute; case counts only where the platform says so. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(fold(folder), fold(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way);
}

function fold(path: string): string {
  return process.platform === "linux" ? path : path.toLowerCase();
}

// The thing itself, and, where it is a link, what it leads to: some operations take the one, some the other.
async function listMeanings(path: string): Promise<string[]> {
  const absolute = resolve(path);
  const parent = await resolveLinks(dirname(absolute));
  return [absolute, join(parent, basename(absolute)), await resolveLinks(absolute)];
}

/** Like `realpath`, for paths that need not lead to anything. */
async function resolveLinks(path: string, linksLeft = LINKS_FOLLOWED_MAX): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || linksLeft === 0) return path;
    const target = await linkTarget(path, error);
    if (target !== undefined) return resolveLinks(resolve(parent, target), linksLeft - 1);
    return join(await resolveLinks(parent, linksLeft), basename(path));
  }
}

async function linkTarget(path: string, error: unknown): Promise<string | undefined> {
  if (errorNumberName(error) !== "ENOENT") return undefined;
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() ? readlink(path).catch(() => undefined) : undefined;
}
