import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { z } from "@hono/zod-openapi";
import type { WorkspaceRow } from "../../db/schema.ts";
import { FILE_SEARCH_LIMIT_DEFAULT, FILE_SEARCH_LIMIT_MAX } from "../../files/limits.ts";
import { isWithin, type Judge, listProtectedPlaces } from "../../files/protected.ts";
import { FILE_PATH_CHARACTERS_MAX } from "../../limits.ts";
import { operationOf } from "../../policies/operations.ts";
import { listUsableRoots } from "../../workspaces/roots.ts";
import { type BuiltinTool, type Reach, type ToolContext, ToolResult } from "./builtin.ts";
import { defineTool } from "./define.ts";
import { withFileFailures } from "./file-failures.ts";
import { replaceOnce } from "./file-text.ts";
import { searchNames } from "./filesystem-search.ts";
import {
  createFile,
  createFolder,
  deletePath,
  describePath,
  editFile,
  listEntries,
  movePath,
  readPiece,
  replaceFile,
} from "./filesystem-work.ts";
import { judgeFor, reachOf, withheldBy } from "./reach.ts";
import { PAGE_CUT, toListResult, toReadPassage } from "./result-size.ts";

const AbsolutePath = z
  .string()
  .min(1)
  .max(FILE_PATH_CHARACTERS_MAX)
  .refine((path) => isAbsolute(path) && !path.includes("\0"), "must be an absolute path")
  .describe("An absolute path.")
  .overwrite((path) => (isAbsolute(path) ? resolve(path) : path));
const Place = z.object({ path: AbsolutePath });
const Content = z.string();

/**
 * The group `filesystem`: any path that the engine's account can reach (Engine §2, approval inheritance 5). Approval is
 * the only protection, and the engine's own data always needs it.
 */
export const FILESYSTEM_TOOLS: readonly BuiltinTool[] = [
  machineTool({
    name: "read_file",
    doc: "Reads a text file anywhere on this machine; go on at next_offset where it is longer.",
    parameters: Place.extend({ offset: z.int().min(0).default(0).describe("In bytes.") }),
    run: readOnMachine,
  }),
  machineTool({
    name: "get_path_info",
    doc: "Tells what is at a path anywhere on this machine: type, size, time of the last change.",
    parameters: Place,
    run: ({ judge }, { path }) => describePath(judge, path),
  }),
  machineTool({
    name: "list_folder",
    doc: "Lists the names in a folder anywhere on this machine.",
    parameters: Place,
    async run({ judge, resultBytesMax }, { path }, signal) {
      const { entries, has_more } = await listEntries(judge, path, signal);
      return toListResult("entries", entries, { rest: { has_more }, resultBytesMax });
    },
  }),
  machineTool({
    name: "search_files",
    doc: "Finds files and folders below a folder anywhere on this machine by a part of their name.",
    parameters: Place.extend({
      query: z.string().min(1),
      limit: z.int().min(1).max(FILE_SEARCH_LIMIT_MAX).default(FILE_SEARCH_LIMIT_DEFAULT),
    }),
    async run(context, { path, query, limit }, signal) {
      const { resultBytesMax } = context;
      const without = await listProtectedPlaces(context.deps.config.dataDirectory);
      const search = { folder: path, query, limit, without, withholds: withheldBy(context) };
      const { paths, complete } = await searchNames(context.judge, search, signal);
      return toListResult("paths", paths, { rest: { complete }, resultBytesMax });
    },
  }),
  machineTool({
    name: "create_file",
    doc: "Creates a text file in an existing folder anywhere on this machine.",
    parameters: Place.extend({ content: Content }),
    run: ({ judge }, { path, content }) => createFile(judge, path, content).then(() => ({ path })),
  }),
  machineTool({
    name: "create_folder",
    doc: "Creates a folder in an existing folder anywhere on this machine.",
    parameters: Place,
    run: ({ judge }, { path }) => createFolder(judge, path).then(() => ({ path })),
  }),
  machineTool({
    name: "replace_file",
    doc: "Replaces the whole content of an existing text file anywhere on this machine.",
    parameters: Place.extend({ content: Content }),
    run: ({ judge }, { path, content }) => replaceFile(judge, path, content).then(() => ({ path })),
  }),
  machineTool({
    name: "edit_file",
    doc: "Replaces one passage of a text file anywhere on this machine; old_text must stand in it exactly once.",
    parameters: Place.extend({ old_text: z.string().min(1), new_text: Content }),
    async run({ judge }, { path, old_text, new_text }, signal) {
      await editFile(judge, path, (text) => {
        signal.throwIfAborted();
        return replaceOnce(text, old_text, new_text);
      });
      return { path };
    },
  }),
  machineTool({
    name: "move_path",
    doc: "Moves or renames a file or folder anywhere on this machine; never over another one.",
    parameters: Place.extend({ new_path: AbsolutePath }),
    run: ({ judge }, { path, new_path }) =>
      movePath(judge, path, new_path).then(() => ({ path: new_path })),
  }),
  machineTool({
    name: "delete_path",
    doc: "Deletes a file, link or folder anywhere on this machine, for good.",
    parameters: Place.extend({
      recursive: z.boolean().default(false).describe("Also a folder that is not empty."),
    }),
    run: ({ judge }, { path, recursive }) =>
      deletePath(judge, path, recursive).then(() => ({ deleted: path })),
  }),
];

type JudgingContext = ToolContext & { judge: Judge };

async function readOnMachine(
  { judge, workspace, resultBytesMax }: JudgingContext,
  { path, offset }: { path: string; offset: number },
): Promise<ToolResult> {
  const piece = await readPiece(judge, path, { offset, resultBytesMax });
  const { content, before, sizeBytes, nextOffset, isCut, realPath } = piece;
  const text = before === undefined ? undefined : { before, content };
  const passage = toReadPassage(await toPlace(workspace, realPath), text);
  const value = { content, size_bytes: sizeBytes, next_offset: nextOffset };
  return new ToolResult(isCut ? { ...value, note: PAGE_CUT } : value, {
    passages: content === "" ? [] : [passage],
    leftOut: isCut ? `the rest of ${path}` : undefined,
  });
}

/** Where a file is among the folders of the workspace. */
async function toPlace(workspace: WorkspaceRow, path: string) {
  for (const { rootIndex, path: root } of await listUsableRoots(workspace)) {
    const top = await realpath(root).catch(() => root);
    if (isWithin(top, path)) {
      return { rootIndex, path: relative(top, path).split(sep).join("/") };
    }
  }
  return { rootIndex: null, path };
}

interface Definition<Schema extends z.ZodObject>
  extends Pick<Parameters<typeof defineTool<Schema>>[0], "name" | "doc" | "parameters"> {
  run(context: JudgingContext, input: z.infer<Schema>, signal: AbortSignal): Promise<unknown>;
}

function machineTool<Schema extends typeof Place>(definition: Definition<Schema>): BuiltinTool {
  return defineTool({
    ...definition,
    group: "filesystem",
    reach: (context, input) => reachPaths(context, definition.name, input),
    run: (context, input, signal) =>
      withFileFailures(() =>
        definition.run({ ...context, judge: judgeFor(context) }, input, signal),
      ),
  });
}

// How a tool uses its path; the others use the name alone.
const USES: Readonly<Record<string, "file" | "folder" | "whole">> = {
  read_file: "file",
  list_folder: "folder",
  search_files: "folder",
  replace_file: "file",
  edit_file: "file",
  move_path: "whole",
  delete_path: "whole",
};

function reachPaths(
  { deps }: ToolContext,
  name: string,
  { path, new_path }: { path: string; new_path?: string },
): Promise<Reach> {
  const named = [{ path, use: USES[name] ?? ("name" as const) }];
  const target = new_path === undefined ? [] : [{ path: new_path, use: "name" as const }];
  return reachOf(deps, [...named, ...target], { writes: operationOf(name) !== "read" });
}
