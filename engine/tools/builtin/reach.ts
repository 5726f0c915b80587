import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { systemErrorCode } from "../../../shared/system-error.ts";
import type { EngineDeps } from "../../deps.ts";
import { isWithin, type Judge, lookAtProtected, type Opened } from "../../files/protected.ts";
import { isSensitiveFolder, isSensitivePath } from "../../retrieval/sensitive.ts";
import { LINKS_FOLLOWED_MAX } from "../limits.ts";
import { type Reach, type ToolContext, ToolFailure } from "./builtin.ts";

type ProtectDeps = Pick<EngineDeps, "config">;

interface NamedPath {
  /** Absolute. */
  path: string;
  /**
   * `file` and `folder`: what is there, through links. `name`: the name in its folder. `whole`: the same, moved or deleted
   * with its content.
   */
  use: "file" | "folder" | "name" | "whole";
}

interface ReachOptions {
  writes: boolean;
  /** The root whose path is no part of the names: a sensitive file is one by its path in it, as in the index. */
  root?: string | undefined;
}

/** A call that names no path. */
export const NO_REACH: Reach = {
  protected: false,
  sensitive: false,
  changed: false,
  writesHidden: false,
  paths: [],
  folder: null,
};

/**
 * What a call reaches by the paths that it names, hard links to the engine's own data included. Links are followed, dangling
 * ones too. This decides only whether the user is asked: `judgeFor` decides what runs.
 */
export async function reachOf(
  { config }: ProtectDeps,
  named: readonly NamedPath[],
  { writes, root }: ReachOptions,
): Promise<Reach> {
  const things = await lookAtProtected(config.dataDirectory);
  const isSensitive = await sensitivityIn(root);
  const looks = await Promise.all(
    named.map(async ({ path, use }) => {
      const { written, entry, target } = await readMeanings(path);
      const meanings = [written, entry, target];
      const identity = await stat(path, { bigint: true }).catch(() => undefined);
      const opened = { ...(use === "whole" && { use }), ...(identity && { identity }) } as const;
      const real = use === "file" || use === "folder" ? target : entry;
      return {
        protected: meanings.some((path) => things.covers({ path, ...opened })),
        sensitive: meanings.some(isSensitive),
        hidden: meanings.some(isHidden),
        path: { path: real, below: use === "whole" || (use === "name" && writes) },
        folder: use === "folder" ? real : dirname(real),
      };
    }),
  );
  return {
    protected: looks.some((look) => look.protected),
    sensitive: looks.some((look) => look.sensitive),
    changed: false,
    writesHidden: writes && looks.some((look) => look.hidden),
    paths: looks.map(({ path }) => path),
    folder: commonFolder(looks.map(({ folder }) => folder)),
  };
}

/** Whether one of these folders is, or holds, the engine's own data. */
export async function holdsProtected(
  deps: ProtectDeps,
  folders: readonly string[],
): Promise<boolean> {
  const named = folders.map((path) => ({ path, use: "whole" }) as const);
  return (await reachOf(deps, named, { writes: false })).protected;
}

/**
 * Judges every file that one tool call opens. A protected or sensitive one passes only if the call was known to lead there
 * when the user approved it; under a grant, nothing passes that the grant does not cover.
 */
export function judgeFor({ deps, approved }: ToolContext, root?: string): Judge {
  let looked: ReturnType<typeof lookAtProtected> | undefined;
  let sensitivity: ReturnType<typeof sensitivityIn> | undefined;
  return async (opened) => {
    looked ??= lookAtProtected(deps.config.dataDirectory);
    sensitivity ??= sensitivityIn(root);
    const [things, isSensitive] = await Promise.all([looked, sensitivity]);
    const isProtected = things.covers(opened);
    if (isProtected && approved?.protected !== true) {
      throw new ToolFailure("The path leads to the engine's own data, which was not approved.");
    }
    if (isProtected && opened.use === "content" && things.isDatabase(opened.identity)) {
      throw new ToolFailure("The engine uses this database itself. Stop the engine first.");
    }
    if (approved?.sensitive !== true && isSensitive(opened.path)) {
      throw new ToolFailure("The path leads to a sensitive file, which was not approved.");
    }
    if (approved?.granted && !isGranted(approved.granted, opened)) {
      throw new ToolFailure("The path leads to what no remembered approval covers. Try again.");
    }
  };
}

function isGranted(
  { folder, writes }: NonNullable<NonNullable<ToolContext["approved"]>["granted"]>,
  { path, use }: Opened,
): boolean {
  if (writes && isHidden(path)) return false;
  if (folder === null) return true;
  return isWithin(folder, path) && !(use === "whole" && isWithin(path, folder));
}

/** Whether a name search leaves a real path out: it withholds sensitive files unless the call was approved for them. */
export function withheldBy({ approved }: ToolContext): (path: string) => boolean {
  return (path) => approved?.sensitive !== true && isSensitiveName(path);
}

/** The test for real and written paths of a root; without one, for those of the whole machine. */
async function sensitivityIn(root: string | undefined): Promise<(path: string) => boolean> {
  if (root === undefined) return isSensitiveName;
  const tops = [root, await realpath(root).catch(() => root)];
  return (path) => {
    const top = tops.find((top) => isWithin(top, path));
    return isSensitiveName(top === undefined ? path : relative(top, path));
  };
}

function isSensitiveName(path: string): boolean {
  return isSensitivePath(path.split(sep).join("/")) || isSensitiveFolder(basename(path));
}

/** Dot files, dot folders and the instructions of agents: what other programs obey without being asked. */
function isHidden(path: string): boolean {
  return /[\\/]\.[^\\/]/.test(path) || basename(path).toLowerCase() === "agents.md";
}

/** The nearest folder that holds all of these folders; null if there are none. */
function commonFolder([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null;
  return others.reduce((common, folder) => {
    let top = common;
    while (!isWithin(top, folder) && dirname(top) !== top) top = dirname(top);
    return top;
  }, first);
}

// The path as it is written, in its real folder, and what a link at its end leads to: operations differ in what they use.
async function readMeanings(path: string) {
  const written = resolve(path);
  const parent = await resolveLinks(dirname(written));
  return { written, entry: join(parent, basename(written)), target: await resolveLinks(written) };
}

/** Like `realpath`, for paths that need not exist. */
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
  if (systemErrorCode(error) !== "ENOENT") return undefined;
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() ? readlink(path).catch(() => undefined) : undefined;
}
