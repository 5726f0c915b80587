import { lstat, opendir } from "node:fs/promises";
import path, { type PlatformPath } from "node:path";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { EngineError, invalid } from "../errors.ts";
import { FILE_PATH_CHARACTERS_MAX } from "../limits.ts";

/** A root of a workspace, unchecked. */
export interface ConfiguredRoot {
  /** Its position in `directories`. */
  rootIndex: number;
  /** The path as written. */
  path: string;
  /** False if `ragConfig` disables it for retrieval; files stay accessible. */
  enabled: boolean;
  /** True if `ragConfig` wants its index to be kept up to date. */
  watch: boolean;
}

/** A root that was an existing absolute directory, and not a link, when it was checked. */
export interface Root {
  rootIndex: number;
  /** Absolute and normalised, without a trailing separator. */
  path: string;
}

type RootPolicy = Pick<WorkspaceRow, "directories" | "ragConfig">;

/** Every root of a workspace, in the order of `directories`. */
export function listRoots(workspace: RootPolicy): ConfiguredRoot[] {
  const { roots } = parseRagConfig(workspace.ragConfig);
  const pathsOf = (listed: typeof roots) => new Set(listed.map(({ path }) => bare(path)));
  const disabled = pathsOf(roots.filter(({ enabled }) => !enabled));
  const watched = pathsOf(roots.filter(({ watch }) => watch));
  return parseDirectories(workspace.directories).map((written, rootIndex) => ({
    rootIndex,
    path: written,
    enabled: !disabled.has(bare(written)),
    watch: watched.has(bare(written)),
  }));
}

/**
 * The normalised form of an absolute path, else undefined. Removes a trailing separator, since `lstat("link/")` follows the
 * link. On Windows a path without a drive or share depends on the current drive and counts as relative.
 */
export function toAbsolutePath(written: string, platform: PlatformPath = path): string | undefined {
  if (written.length > FILE_PATH_CHARACTERS_MAX || written.includes("\0")) return undefined;
  if (!platform.isAbsolute(written)) return undefined;
  if (platform.sep === "\\" && platform.parse(written).root.length < "C:\\".length)
    return undefined;
  return platform.resolve(written);
}

/** The roots that retrieval may use. */
export function enabledRoots(workspace: RootPolicy): ConfiguredRoot[] {
  return listRoots(workspace).filter((root) => root.enabled);
}

/** Undefined for an index outside `directories`. */
export function findRoot(workspace: RootPolicy, rootIndex: number): ConfiguredRoot | undefined {
  return listRoots(workspace).find((root) => root.rootIndex === rootIndex);
}

/**
 * The root of a file operation.
 * @throws EngineError `invalid` if it does not exist; see `validateRoot`.
 */
export async function resolveRoot(workspace: RootPolicy, rootIndex: number): Promise<Root> {
  const configured = findRoot(workspace, rootIndex);
  if (!configured) throw invalidRoot(`directories[${rootIndex}] does not exist`);
  return validateRoot(configured);
}

/**
 * Engine §2, workspace semantics 7: a root exists, is absolute, is a directory and no symlink, junction or reparse point.
 * @throws EngineError `invalid` otherwise, with `details` that name the root and the problem. A failure that the root did
 * not cause, such as EMFILE, is thrown unchanged.
 */
export async function validateRoot({
  rootIndex,
  path: written,
}: Pick<ConfiguredRoot, "rootIndex" | "path">): Promise<Root> {
  const absolute = toAbsolutePath(written);
  const problem = await findRootProblem(written);
  if (absolute === undefined || problem !== undefined) {
    throw invalidRoot(`directories[${rootIndex}] ${quote(written)} ${problem}`);
  }
  return { rootIndex, path: absolute };
}

/**
 * The problem with a path as a root, as the end of a sentence such as "does not exist"; undefined if there is none.
 * @throws a failure that the path did not cause, such as EMFILE.
 */
export async function findRootProblem(written: string): Promise<string | undefined> {
  if (written.length > FILE_PATH_CHARACTERS_MAX) return "is longer than 4,096 characters";
  if (written.includes("\0")) return "contains U+0000";
  const absolute = toAbsolutePath(written);
  if (absolute === undefined) return "is not an absolute path";
  try {
    const found = await lstat(absolute);
    if (found.isSymbolicLink()) return "is a link";
    return found.isDirectory() ? undefined : "is not a folder";
  } catch (error) {
    return describeFailure(error);
  }
}

/** The problem with listing an existing root, as `findRootProblem` puts it. @throws as `findRootProblem`. */
export async function findListingProblem({ path }: Root): Promise<string | undefined> {
  try {
    await (await opendir(path)).close();
    return undefined;
  } catch (error) {
    return describeFailure(error);
  }
}

const OTHER_FAULTS_OF_PATHS = new Set(
  "EACCES EPERM EIO EBUSY ENODEV ENXIO ESTALE ENOTCONN EHOSTDOWN ETIMEDOUT EREMOTEIO".split(" "),
);

function describeFailure(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  if (code === "ELOOP") return "has links that lead in a circle";
  if (code === "ENAMETOOLONG") return "has a name that is too long";
  if (OTHER_FAULTS_OF_PATHS.has(code)) return `cannot be read: ${code}`;
  throw error;
}

/** The usable roots; others are left out (file search). */
export async function listUsableRoots(workspace: RootPolicy): Promise<Root[]> {
  const roots = listRoots(workspace).map((root) => validateRoot(root).catch(leaveOutInvalid));
  return (await Promise.all(roots)).filter((root) => root !== undefined);
}

function leaveOutInvalid(error: unknown): undefined {
  if (!(error instanceof EngineError)) throw error;
}

/** 400: the root does not exist or cannot be used. */
export function invalidRoot(details?: string): EngineError {
  return invalid("Invalid root.", details);
}

// `/a/b/` and `/a/b` are one path; any other two spellings are two.
function bare(written: string): string {
  let end = written.length;
  while (end > 1 && isSeparator(written[end - 1])) end -= 1;
  return written.slice(0, end);
}

function isSeparator(character: string | undefined): boolean {
  return character === "/" || character === "\\";
}

const QUOTED_CHARACTERS_MAX = 200;

function quote(written: string): string {
  const isLong = written.length > FILE_PATH_CHARACTERS_MAX;
  return JSON.stringify(isLong ? `${written.slice(0, QUOTED_CHARACTERS_MAX)}…` : written);
}

/** `directories`: the root paths as written. Null, malformed or not an array of strings: no roots. @internal for tests */
export function parseDirectories(text: string | null): string[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [];
  return value.every((item) => typeof item === "string") ? value : [];
}

/**
 * `ragConfig`: entries without a path are left out; only a literal `false` disables, and only a literal `true` watches.
 * Malformed: nothing is disabled or watched.
 * @internal for tests
 */
export function parseRagConfig(text: string | null): {
  roots: Omit<ConfiguredRoot, "rootIndex">[];
} {
  const value = parseJson(text);
  const listed = isJsonObject(value) && Object.hasOwn(value, "roots") ? value.roots : undefined;
  if (!Array.isArray(listed)) return { roots: [] };
  const roots = listed
    .filter(isJsonObject)
    .flatMap(({ path, enabled, watch }) =>
      typeof path === "string" ? [{ path, enabled: enabled !== false, watch: watch === true }] : [],
    );
  return { roots };
}
