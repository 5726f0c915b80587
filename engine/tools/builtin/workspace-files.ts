import { basename, join } from "node:path";
import { z } from "@hono/zod-openapi";
import type { EngineDeps } from "../../deps.ts";
import { createDirectory, listDirectory } from "../../files/directory.ts";
import { FILE_SEARCH_LIMIT_DEFAULT, FILE_SEARCH_LIMIT_MAX } from "../../files/limits.ts";
import { moveEntry } from "../../files/move.ts";
import { searchFiles } from "../../files/search.ts";
import { createText, isTextName, readBytes, readText, replaceText } from "../../files/text.ts";
import type { FileEntry } from "../../files/wire.ts";
import type { FileRoot } from "../../files/within.ts";
import { CONTEXT_PATH_CHARACTERS_MAX } from "../../limits.ts";
import { operationOf } from "../../policies/operations.ts";
import {
  type DocumentKind,
  documentBytesMax,
  documentKindOf,
  isDocument,
} from "../../retrieval/documents/document-kind.ts";
import { listRoots, listUsableRoots, resolveRoot } from "../../workspaces/roots.ts";
import { TOOL_LIST_ENTRIES_MAX } from "../limits.ts";
import {
  type BuiltinTool,
  type Passage,
  type Reach,
  type ToolContext,
  ToolFailure,
  ToolResult,
} from "./builtin.ts";
import { defineTool } from "./define.ts";
import { withFileFailures } from "./file-failures.ts";
import { replaceOnce } from "./file-text.ts";
import { judgeFor, NO_REACH, reachOf } from "./reach.ts";
import { PAGE_CUT, pageOf, toListResult, toReadPassage } from "./result-size.ts";

const RootIndex = z.int().min(0).describe("The position of the root, from 0.");
const Path = z.string().min(1).describe("Relative to the root, with `/`.");
const Place = z.object({ root_index: RootIndex, path: Path });
const Content = z.string();

/** The group `workspace_files`: files of the workspace's own roots, through the same core as the file endpoints. */
export const WORKSPACE_FILE_TOOLS: readonly BuiltinTool[] = [
  workspaceTool({
    name: "list_workspace_roots",
    doc: "Lists the folders that belong to this workspace, with their root_index.",
    parameters: z.object({}),
    async run({ workspace }) {
      const roots = listRoots(workspace).map(({ rootIndex, path }) => ({
        root_index: rootIndex,
        path,
      }));
      return { roots };
    },
  }),
  workspaceTool({
    name: "list_tagged_files",
    doc: "Lists the workspace files that the user refers to in this turn.",
    parameters: z.object({}),
    async run({ taggedFiles }) {
      const files = taggedFiles.map(({ rootIndex, path, label }) => ({
        root_index: rootIndex,
        path,
        label,
      }));
      return { files };
    },
  }),
  workspaceTool({
    name: "list_workspace_folder",
    doc: "Lists the files and folders in a folder of the workspace; the root itself without a path.",
    parameters: z.object({ root_index: RootIndex, path: z.string().default("") }),
    async run(context, { root_index, path }) {
      const entries = await listDirectory(await rootAt(context, root_index), path);
      const shown = entries.slice(0, TOOL_LIST_ENTRIES_MAX).map(toEntry);
      const { resultBytesMax } = context;
      return toListResult("entries", shown, { rest: { total: entries.length }, resultBytesMax });
    },
  }),
  workspaceTool({
    name: "search_workspace_files",
    doc: "Finds files of the workspace by a part of their path; content is not searched.",
    parameters: z.object({
      query: z.string().max(CONTEXT_PATH_CHARACTERS_MAX),
      limit: z.int().min(1).max(FILE_SEARCH_LIMIT_MAX).default(FILE_SEARCH_LIMIT_DEFAULT),
    }),
    async run(context, search, signal) {
      const roots = await listUsableRoots(context.workspace);
      const judged = roots.map((root) => ({ ...root, judge: judgeFor(context, root.path) }));
      const found = await searchFiles(judged, search, signal);
      const files = found.map((at) => ({ root_index: at.rootIndex, path: at.relativePath }));
      return toListResult("files", files, context);
    },
  }),
  workspaceTool({
    name: "read_workspace_file",
    doc: "Reads a text file of the workspace, or the text of a PDF, DOCX, PPTX, XLSX, ODT, EPUB or RTF; go on at next_offset where it is longer.",
    parameters: Place.extend({ offset: z.int().min(0).default(0) }),
    async run(context, { root_index, path, offset }, signal) {
      const root = await rootAt(context, root_index);
      // A page is edited as it is written, so its source is read.
      const kind = isTextName(path) ? undefined : documentKindOf(path);
      const text = kind
        ? await readDocument(context.deps, { root, path, kind }, signal)
        : (await readText(root, path)).content;
      return toPage(context, text, { place: { rootIndex: root_index, path }, offset, kind });
    },
  }),
  workspaceTool({
    name: "create_workspace_file",
    doc: "Creates a text file in an existing folder of the workspace.",
    parameters: Place.extend({ content: Content }),
    async run(context, { root_index, path, content }) {
      await createText(await rootAt(context, root_index), path, content);
      return { root_index, path };
    },
  }),
  workspaceTool({
    name: "replace_workspace_file",
    doc: "Replaces the whole content of an existing text file of the workspace.",
    parameters: Place.extend({ content: Content }),
    async run(context, { root_index, path, content }) {
      await replaceText(await rootAt(context, root_index), path, content);
      return { root_index, path };
    },
  }),
  workspaceTool({
    name: "edit_workspace_file",
    doc: "Replaces one passage of a text file of the workspace; old_text must stand in it exactly once.",
    parameters: Place.extend({ old_text: z.string().min(1), new_text: Content }),
    async run(context, { root_index, path, old_text, new_text }, signal) {
      const root = await rootAt(context, root_index);
      const { content } = await readText(root, path);
      signal.throwIfAborted();
      await replaceText(root, path, replaceOnce(content, old_text, new_text));
      return { root_index, path };
    },
  }),
  workspaceTool({
    name: "create_workspace_folder",
    doc: "Creates a folder in an existing folder of the workspace.",
    parameters: Place,
    async run(context, { root_index, path }) {
      return toEntry(await createDirectory(await rootAt(context, root_index), path));
    },
  }),
  workspaceTool({
    name: "move_workspace_path",
    doc: "Moves a file or folder into another existing folder of the same root; its name stays.",
    parameters: Place.extend({ destination_folder: z.string().describe("Empty for the root.") }),
    async run(context, { root_index, path, destination_folder }) {
      const move = { sourceRootIndex: root_index, destinationRootIndex: root_index };
      const places = { sourcePath: path, destinationPath: destination_folder };
      const { judge } = await rootAt(context, root_index);
      return toEntry(await moveEntry(context.workspace, { ...move, ...places }, judge));
    },
  }),
];

type Definition<Schema extends z.ZodObject> = Omit<
  Parameters<typeof defineTool<Schema>>[0],
  "group" | "reach"
>;

function workspaceTool<Schema extends z.ZodObject>(definition: Definition<Schema>): BuiltinTool {
  return defineTool({
    ...definition,
    group: "workspace_files",
    reach: (context, input) => reachPaths(context, definition.name, input),
    run: (context, input, signal) => withFileFailures(() => definition.run(context, input, signal)),
  });
}

/** A root whose files are judged as they are opened. */
async function rootAt(context: ToolContext, rootIndex: number): Promise<FileRoot> {
  const root = await resolveRoot(context.workspace, rootIndex);
  return { ...root, judge: judgeFor(context, root.path) };
}

/** A root may be, or hold, the engine's own data directory. */
async function reachPaths(
  { deps, workspace }: ToolContext,
  name: string,
  input: { root_index?: unknown; path?: unknown; destination_folder?: unknown; query?: unknown },
): Promise<Reach> {
  const roots = listRoots(workspace);
  if (input.query !== undefined) {
    const tops = roots.map(({ path }) => ({ path, use: "folder" }) as const);
    const { protected: isProtected } = await reachOf(deps, tops, { writes: false });
    return { ...NO_REACH, protected: isProtected };
  }
  const root = roots.find(({ rootIndex }) => rootIndex === input.root_index)?.path;
  if (root === undefined) return NO_REACH;
  const path = join(root, String(input.path ?? ""));
  const options = { writes: operationOf(name) !== "read", root };
  if (input.destination_folder === undefined) {
    const use = name === "list_workspace_folder" ? "folder" : "name";
    return reachOf(deps, [{ path, use }], options);
  }
  const target = join(root, String(input.destination_folder), basename(path));
  const moved = [
    { path, use: "whole" },
    { path: target, use: "name" },
  ] as const;
  return reachOf(deps, moved, options);
}

interface PageRequest {
  place: Pick<Passage, "rootIndex" | "path">;
  /** In characters. */
  offset: number;
  /** Of a document, whose lines are not those of its text. */
  kind: DocumentKind | undefined;
}

function toPage(
  { resultBytesMax }: ToolContext,
  text: string,
  { place, offset, kind }: PageRequest,
): ToolResult {
  // Never inside a surrogate pair.
  const from = /[\udc00-\udfff]/.test(text[offset] ?? "") ? offset + 1 : offset;
  const { length, isCut } = pageOf(text.slice(from), resultBytesMax);
  const to = from + length;
  const content = text.slice(from, to);
  const next_offset = to < text.length ? to : null;
  const value = { content, characters: text.length, next_offset, ...(isCut && { note: PAGE_CUT }) };
  const passage = toReadPassage(place, kind ? undefined : { before: text.slice(0, from), content });
  return new ToolResult(value, {
    passages: content === "" ? [] : [passage],
    leftOut: isCut ? `the rest of ${place.path}` : undefined,
  });
}

function toEntry({ relativePath, isDirectory }: FileEntry) {
  return { path: relativePath, type: isDirectory ? "folder" : "file" };
}

/**
 * The text of a document, its pages separated by an empty line.
 * @throws ToolFailure if no text can be read; the signal's reason; as `readBytes`.
 */
async function readDocument(
  { retrieval }: Pick<EngineDeps, "retrieval">,
  { root, path, kind }: { root: FileRoot; path: string; kind: DocumentKind },
  signal: AbortSignal,
): Promise<string> {
  const bytes = await readBytes(root, path, documentBytesMax(kind));
  if (!bytes) throw new ToolFailure("path: the document is too large to be read.");
  if (!isDocument(kind, bytes)) throw new ToolFailure(`path: the file is no ${kind}.`);
  const read = await retrieval.readDocument({ kind, bytes }, signal);
  if (read.kind === "failed") throw new ToolFailure(`The text was not read. ${read.reason}`);
  return read.pages.map(({ text }) => text).join("\n\n");
}
