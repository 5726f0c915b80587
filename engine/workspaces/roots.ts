import { lstat } from "node:fs/promises";
import path, { type PlatformPath } from "node:path";
import type { WorkspaceRow } from "../db/schema.ts";
import { type EngineError, invalid } from "../errors.ts";
import { parseDirectories, parseRagConfig } from "./policy.ts";

/** A root as the workspace names it; nothing about it is checked yet. */
export interface ConfiguredRoot {
  /** Its position in `directories`. */
  rootIndex: number;
  /** As it was written. */
  path: string;
  /** False where `ragConfig` disables it for retrieval; files stay accessible. */
  enabled: boolean;
}

/** A root that was an existing, absolute directory and no link when it was looked at. */
export interface Root {
  rootIndex: number;
  /** Absolute and normalised, without a separator at its end. */
  path: string;
}

type RootPolicy = Pick<WorkspaceRow, "directories" | "ragConfig">;

/** Every root of a workspace, in the order of `directories`. */
export function listRoots(workspace: RootPolicy): ConfiguredRoot[] {
  const disabled = new Set(
    parseRagConfig(workspace.ragConfig)
      .roots.filter((root) => !root.enabled)
      .map((root) => bare(root.path)),
  );
  return parseDirectories(workspace.directories).map((written, rootIndex) => ({
    rootIndex,
    path: written,
    enabled: !disabled.has(bare(written)),
  }));
}

/** The roots that retrieval may use. */
export function enabledRoots(workspace: RootPolicy): ConfiguredRoot[] {
  return listRoots(workspace).filter((root) => root.enabled);
}

/** Undefined outside `directories`. */
export function findRoot(workspace: RootPolicy, rootIndex: number): ConfiguredRoot | undefined {
  return listRoots(workspace).find((root) => root.rootIndex === rootIndex);
}

/**
 * The root of a file operation.
 * @throws EngineError `invalid` where there is none, or see `validateRoot`.
 */
export async function resolveRoot(workspace: RootPolicy, rootIndex: number): Promise<Root> {
  const configured = findRoot(workspace, rootIndex);
  if (!configured) throw invalidRoot();
  return validateRoot(configured);
}

/**
 * Engine §2, workspace semantics 7: a root exists, is absolute, is a directory and no symlink, junction or reparse point.
 * @throws EngineError `invalid` otherwise.
 */
export async function validateRoot(configured: ConfiguredRoot): Promise<Root> {
  const absolute = toAbsolutePath(configured.path);
  if (absolute === undefined) throw invalidRoot();
  const found = await lstat(absolute).catch(() => undefined);
  if (!found?.isDirectory()) throw invalidRoot();
  return { rootIndex: configured.rootIndex, path: absolute };
}

/** The roots that can be used now; the others are left out (file search). */
export async function listUsableRoots(workspace: RootPolicy): Promise<Root[]> {
  const roots = listRoots(workspace).map((root) => validateRoot(root).catch(() => undefined));
  return (await Promise.all(roots)).filter((root) => root !== undefined);
}

/** 400: what is named is no root, or none that can be used. */
export function invalidRoot(): EngineError {
  return invalid("Invalid root.");
}

/**
 * The normalised form of an absolute path, else undefined. No separator stays at its end: looking at `link/` would look
 * through the link. On Windows a path without a drive or share depends on the current drive and counts as relative.
 */
export function toAbsolutePath(written: string, platform: PlatformPath = path): string | undefined {
  if (written.includes("\0") || !platform.isAbsolute(written)) return undefined;
  if (platform.sep === "\\" && platform.parse(written).root.length < "C:\\".length)
    return undefined;
  return platform.resolve(written);
}

// `/a/b/` and `/a/b` are one path; any other difference is one.
function bare(written: string): string {
  return written.replace(/(?<=.)[/\\]+$/, "");
}
