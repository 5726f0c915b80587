import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemErrorCode } from "../../../shared/system-error.ts";
import type { EngineDeps } from "../../deps.ts";
import { type Judge, lookAtProtected } from "../../files/protected.ts";
import { LINKS_FOLLOWED_MAX } from "../limits.ts";
import { type ToolContext, ToolFailure } from "./builtin.ts";

type ProtectDeps = Pick<EngineDeps, "config">;

/**
 * Whether a path leads to the engine's own data, hard links included. Links are followed, dangling ones too. This decides
 * only whether the user is asked: `judgeFor` decides what runs.
 */
export async function isProtected(deps: ProtectDeps, path: string): Promise<boolean> {
  return coversAny(deps, path, undefined);
}

/** Whether an operation on a whole folder affects something protected. */
export async function holdsProtected(deps: ProtectDeps, path: string): Promise<boolean> {
  return coversAny(deps, path, "whole");
}

async function coversAny(
  { config }: ProtectDeps,
  path: string,
  use: "whole" | undefined,
): Promise<boolean> {
  const [things, targets, stats] = await Promise.all([
    lookAtProtected(config.dataDirectory),
    listMeanings(path),
    stat(path, { bigint: true }).catch(() => undefined),
  ]);
  return targets.some((target) =>
    things.covers({ path: target, use, ...(stats && { identity: stats }) }),
  );
}

/**
 * Judges every file that one tool call opens. A protected one passes only if the call was known to lead there when
 * the user approved it.
 */
export function judgeFor({ deps, protectedApproved }: ToolContext): Judge {
  let looked: ReturnType<typeof lookAtProtected> | undefined;
  return async (opened) => {
    looked ??= lookAtProtected(deps.config.dataDirectory);
    const things = await looked;
    if (!things.covers(opened)) return;
    if (protectedApproved !== true) {
      throw new ToolFailure("The path leads to the engine's own data, which was not approved.");
    }
    if (opened.use === "content" && things.isDatabase(opened.identity)) {
      throw new ToolFailure("The engine uses this database itself. Stop the engine first.");
    }
  };
}

// The path itself and, for a link, its target: operations differ in which of them they use.
async function listMeanings(path: string): Promise<string[]> {
  const absolute = resolve(path);
  const parent = await resolveLinks(dirname(absolute));
  return [absolute, join(parent, basename(absolute)), await resolveLinks(absolute)];
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
