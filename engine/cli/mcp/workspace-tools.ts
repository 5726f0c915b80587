import { z } from "zod";
import { UserFacingError } from "../../../shared/failure.ts";
import type { EngineClient } from "../../client/client.ts";
import { isSensitivePath } from "../../retrieval/sensitive.ts";
import { MCP_RESULTS_DEFAULT, MCP_RESULTS_MAX } from "../limits.ts";

/** Where the tools work. */
export interface ServedWorkspace {
  engine: EngineClient;
  uuid: string;
}

/** A tool of the server: `run` gets parsed arguments and answers with text. */
export interface WorkspaceTool<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  input: Schema;
  /** @throws EngineError, UserFacingError */
  run(served: ServedWorkspace, input: z.infer<Schema>, signal: AbortSignal): Promise<string>;
}

const root = z
  .int()
  .min(0)
  .default(0)
  .describe("The position of the root, from 0, where the workspace has several.");
const path = z.string().min(1).describe("The path relative to the root, separated by `/`.");
const folder = z
  .string()
  .default("")
  .describe("A folder, relative to the root; empty is the root.");
const limit = z.int().min(1).max(MCP_RESULTS_MAX).default(MCP_RESULTS_DEFAULT);

function defineTool<Schema extends z.ZodObject>(tool: WorkspaceTool<Schema>): WorkspaceTool {
  return tool as unknown as WorkspaceTool;
}

/** Those that change no file. */
export const READ_TOOLS: readonly WorkspaceTool[] = [
  defineTool({
    name: "search",
    description:
      "Searches the content of the workspace's indexed folders by words and meaning. Answers with path, lines, score and text of the best passages. Of a sensitive file only the path is given.",
    input: z.object({
      query: z.string().min(1).describe("Words or a question; a phrase in quotes comes first."),
      mode: z.enum(["hybrid", "keyword", "vector"]).default("hybrid"),
      limit,
    }),
    async run({ engine, uuid }, input, signal) {
      const search = { ...input, skipUnavailableRoots: true };
      const hits = await engine.retrieval.searchWorkspace(uuid, search, { signal });
      if (hits.length === 0) return "Nothing was found.";
      return hits
        .map((hit) => {
          const lines = hit.startLine === null ? "" : `:${hit.startLine}-${hit.endLine}`;
          const withheld = hit.status === "metadata_only" ? ", withheld" : "";
          const head = `${hit.path}${lines} (root ${hit.rootIndex}, score ${hit.score.toFixed(3)}${withheld})`;
          return `${head}\n${hit.content}`;
        })
        .join("\n\n");
    },
  }),
  defineTool({
    name: "read_file",
    description: "Reads a text file of the workspace, whole or some of its lines.",
    input: z.object({
      path,
      root,
      start_line: z.int().min(1).default(1).describe("The first line, from 1."),
      end_line: z
        .int()
        .min(1)
        .optional()
        .describe("The last line; the end of the file by default."),
    }),
    async run(served, input, signal) {
      const text = await readText(served, { path: input.path, root: input.root }, signal);
      if (input.start_line === 1 && input.end_line === undefined) return text;
      return text
        .split("\n")
        .slice(input.start_line - 1, input.end_line)
        .join("\n");
    },
  }),
  defineTool({
    name: "list_folder",
    description: "Lists the files and folders of a folder; folders end with `/`.",
    input: z.object({ path: folder, root }),
    async run({ engine, uuid }, input, signal) {
      const place = { rootIndex: input.root, path: input.path };
      const entries = await engine.files.list(uuid, place, { signal });
      if (entries.length === 0) return "The folder is empty.";
      return entries
        .map(({ relativePath, isDirectory }) => (isDirectory ? `${relativePath}/` : relativePath))
        .join("\n");
    },
  }),
  defineTool({
    name: "find_files",
    description: "Finds files of all roots by a part of their name or path.",
    input: z.object({ query: z.string().describe("A part of the name or path."), limit }),
    async run({ engine, uuid }, { query, limit: count }, signal) {
      const found = await engine.files.search(uuid, { q: query, limit: count }, { signal });
      if (found.length === 0) return "No file was found.";
      return found.map((file) => `${file.relativePath} (root ${file.rootIndex})`).join("\n");
    },
  }),
  defineTool({
    name: "search_messages",
    description: "Searches the messages of the workspace's conversations.",
    input: z.object({ query: z.string().min(1), limit }),
    async run({ engine, uuid }, input, signal) {
      const search = { ...input, workspaceUuid: uuid };
      const hits = await engine.search.searchMessagesByBody(search, { signal });
      if (hits.length === 0) return "Nothing was found.";
      return hits
        .map(({ createdAt, role, threadTitle, snippet }) => {
          return `${createdAt} ${role} in ${JSON.stringify(threadTitle ?? "")}\n${snippet}`;
        })
        .join("\n\n");
    },
  }),
];

/** Those that change files. */
export const WRITE_TOOLS: readonly WorkspaceTool[] = [
  defineTool({
    name: "create_file",
    description: "Creates a text file in an existing folder. An existing file is not replaced.",
    ...writing("create", "Created"),
  }),
  defineTool({
    name: "replace_file",
    description: "Replaces the whole text of an existing file.",
    ...writing("update", "Replaced"),
  }),
  defineTool({
    name: "move",
    description: "Moves a file or folder into another existing folder of its root.",
    input: z.object({ path, root, to_folder: folder }),
    async run({ engine, uuid }, input, signal) {
      // In another folder its path could be that of an ordinary file.
      if (isSensitivePath(input.path)) throw withheld(input.path);
      const move = {
        sourceRootIndex: input.root,
        sourcePath: input.path,
        destinationRootIndex: input.root,
        destinationPath: input.to_folder,
      };
      const { relativePath } = await engine.files.move(uuid, move, { signal });
      return `Moved to ${relativePath}.`;
    },
  }),
];

/** What tools that write the text of a file have in common. */
function writing(operation: "create" | "update", done: string) {
  const input = z.object({ path, root, content: z.string() });
  return {
    input,
    async run({ engine, uuid }: ServedWorkspace, file: z.infer<typeof input>, signal: AbortSignal) {
      const place = { rootIndex: file.root, path: file.path, content: file.content };
      await engine.files[operation](uuid, place, { signal });
      return `${done} ${file.path}.`;
    },
  };
}

/**
 * The text of a file, as tools and resources give it.
 * @throws UserFacingError for a sensitive file; EngineError
 */
export async function readText(
  { engine, uuid }: ServedWorkspace,
  file: { path: string; root: number },
  signal: AbortSignal,
): Promise<string> {
  if (isSensitivePath(file.path)) throw withheld(file.path);
  const place = { rootIndex: file.root, path: file.path };
  const { content } = await engine.files.get(uuid, place, { signal });
  return content;
}

/** A call that the server refuses by itself; the message is for the model. */
function withheld(path: string): UserFacingError {
  return new UserFacingError(`${path} is a sensitive file; its content is withheld.`);
}
