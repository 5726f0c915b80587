import { stat } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { CommandFailed } from "../../shared/cli/output.ts";
import type { CreateWorkspace, EngineClient, Workspace } from "../client/client.ts";
import { NEW_WORKSPACE } from "../client/new-workspace.ts";
import type { CommandContext } from "./context.ts";

/** What the arguments say of the workspace. */
export interface WorkspaceWanted {
  /** A name or a uuid. */
  workspace?: string | undefined;
  /** A folder of it. */
  root?: string | undefined;
}

/** Where the command was called. */
type Place = Pick<CommandContext, "folder" | "signal">;

const FIRST_NAME = "First steps";

/** The roots of a workspace, as they are written. */
export function rootsOf({ directories }: Pick<Workspace, "directories">): string[] {
  if (!Array.isArray(directories)) return [];
  return directories.filter((path): path is string => typeof path === "string");
}

/**
 * The workspace that is named, or whose folder is `root`; else the one that has the current folder, else the last one that was changed.
 * Undefined if there is none.
 * @throws CommandFailed if a name is unknown or of several
 */
function findWorkspace(
  all: readonly Workspace[],
  { workspace: name, root }: WorkspaceWanted,
  folder: string,
): Workspace | undefined {
  if (name !== undefined) return findNamed(all, name);
  if (root !== undefined) return findOwner(all, resolve(folder, root));
  return findHolder(all, folder) ?? newestOf(all);
}

/** As `findWorkspace`; if none has the folder, a workspace is made of it, and a folder becomes a root of a named one. */
export async function makeWorkspace(
  engine: EngineClient,
  wanted: WorkspaceWanted,
  { folder, signal }: Place,
): Promise<Workspace> {
  const all = await engine.workspaces.list({ signal });
  const found = findWorkspace(all, wanted, folder);
  const root = wanted.root === undefined ? undefined : resolve(folder, wanted.root);
  if (root !== undefined) await requireFolder(root);
  if (!found) {
    const name = root === undefined ? FIRST_NAME : nameFor(all, root);
    const directories = root === undefined ? [] : [root];
    return engine.workspaces.create({ ...NEW_WORKSPACE, name, directories }, { signal });
  }
  const roots = rootsOf(found);
  if (root === undefined || roots.some((each) => holds(each, root))) return found;
  const added = (current: Workspace) => ({ directories: [...rootsOf(current), root] });
  return changeWorkspace(engine, found.uuid, added, signal);
}

/** The name of the folder; its path if a workspace has that name, so that lists tell them apart. */
function nameFor(all: readonly Workspace[], root: string): string {
  const name = basename(root) || root;
  return all.some((each) => each.name === name) ? root : name;
}

/**
 * Changes some fields of a workspace. An update replaces all fields, so the others are read just before: a person may have
 * changed them in the console while this program asked its questions.
 */
export async function changeWorkspace(
  { workspaces }: { workspaces: Pick<EngineClient["workspaces"], "get" | "update"> },
  uuid: string,
  change: (workspace: Workspace) => Partial<CreateWorkspace>,
  signal: AbortSignal,
): Promise<Workspace> {
  const current = await workspaces.get(uuid, { signal });
  const { id: _id, uuid: _uuid, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = current;
  return workspaces.update(uuid, { ...fields, ...change(current) }, { signal });
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new CommandFailed(`${path} is not a folder.`);
}

/** @throws CommandFailed if there is none, with what to do */
export async function getWorkspace(
  engine: EngineClient,
  wanted: WorkspaceWanted,
  { folder, signal }: Place,
): Promise<Workspace> {
  const found = findWorkspace(await engine.workspaces.list({ signal }), wanted, folder);
  if (found) return found;
  throw new CommandFailed("There are no workspaces yet. Create one with `index DIR`.");
}

function findNamed(all: readonly Workspace[], name: string): Workspace | undefined {
  const matches = all.filter((each) => each.uuid === name || each.name === name);
  if (matches.length === 1) return matches[0];
  if (matches.length > 1) {
    const uuids = matches.map(({ uuid }) => uuid).join(", ");
    throw new CommandFailed(
      `${matches.length} workspaces are named ${JSON.stringify(name)}: ${uuids}.`,
    );
  }
  const names = all.map((each) => JSON.stringify(each.name)).join(", ");
  throw new CommandFailed(
    `There is no workspace ${JSON.stringify(name)}. ${names ? `Workspaces: ${names}.` : "None exists yet."}`,
  );
}

/** The workspace that has exactly this folder; of several, the one with the fewest others. A folder around it is another matter. */
function findOwner(all: readonly Workspace[], folder: string): Workspace | undefined {
  return all
    .filter((workspace) => rootsOf(workspace).some((root) => resolve(root) === folder))
    .sort((one, other) => rootsOf(one).length - rootsOf(other).length)[0];
}

/** The workspace with the deepest root that holds the folder. */
function findHolder(all: readonly Workspace[], folder: string): Workspace | undefined {
  const holders = all.flatMap((workspace) =>
    rootsOf(workspace)
      .filter((root) => isAbsolute(root) && holds(root, folder))
      .map((root) => ({ workspace, depth: resolve(root).length })),
  );
  return holders.sort((one, other) => other.depth - one.depth)[0]?.workspace;
}

function holds(root: string, folder: string): boolean {
  const path = relative(resolve(root), folder);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function newestOf(all: readonly Workspace[]): Workspace | undefined {
  return all.toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))[0];
}
