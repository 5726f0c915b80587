import { isJsonObject } from "../../../../shared/json.ts";
import { baseName } from "../folders/roots-config.ts";
import type { ToolCall } from "./tool-call.ts";

type Call = Pick<ToolCall, "toolName" | "arguments">;

/** Verbs at the beginning of a tool's name: before the call, and after it. */
const VERBS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  add: ["Add", "Added"],
  create: ["Create", "Created"],
  delete: ["Delete", "Deleted"],
  edit: ["Change", "Changed"],
  find: ["Find", "Found"],
  get: ["Look up", "Looked up"],
  list: ["List", "Listed"],
  move: ["Move", "Moved"],
  read: ["Read", "Read"],
  remove: ["Remove", "Removed"],
  rename: ["Rename", "Renamed"],
  replace: ["Replace", "Replaced"],
  search: ["Search", "Searched"],
  set: ["Set", "Set"],
  update: ["Update", "Updated"],
  write: ["Write", "Wrote"],
};

/** What some tools work on, if their arguments do not tell. */
const OBJECTS: Readonly<Record<string, string>> = {
  get_current_time: "the time",
  get_workspace_index_status: "the state of the index",
  list_tagged_files: "the files that you named",
  list_workspace_folder: "a folder",
  list_workspace_roots: "your folders",
  search_files: "this computer",
  search_workspace_files: "the names of your files",
  search_workspace_index: "your folders",
  update_workspace_index: "the index of your folders",
};

/** What tells most about a call, in this order. */
const SUBJECTS = ["title", "name", "query", "url", "id"];

/** A call in words: "Create summary in notes" before it, "Created summary in notes" after it. */
export function describeCall(
  call: Call,
  folders: readonly string[],
  tense: "before" | "after",
  serverName?: string | null,
): string {
  const [first = "", ...rest] = call.toolName.split("_");
  const known = VERBS[first];
  const verb = (known ?? ["Use", "Used"])[tense === "before" ? 0 : 1];
  const [server, ...tool] = rest;
  if (first === "mcp") return `${verb} ${tool.join(" ")} of ${serverName ?? server}`;
  if (!known) return `${verb} ${call.toolName}`;
  return `${verb} ${placeOf(call, folders) ?? OBJECTS[call.toolName] ?? rest.join(" ")}`;
}

/** What a call is about besides its place: a query, a title; empty if its arguments do not tell. */
export function subjectOf({ arguments: args }: Call): string {
  if (!isJsonObject(args)) return "";
  const name = SUBJECTS.find((it) => typeof args[it] === "string" && args[it] !== "");
  return name === undefined ? "" : `“${args[name]}”`;
}

/** How much a call brought: "8 passages"; empty if its result is no list. */
export function countOf({ toolName, result }: Pick<ToolCall, "toolName" | "result">): string {
  const values = isJsonObject(result) ? Object.values(result) : [result];
  const list = values.find(Array.isArray);
  if (!list) return "";
  const [one, many] = toolName.endsWith("_index") ? ["passage", "passages"] : ["entry", "entries"];
  return `${list.length} ${list.length === 1 ? one : many}`;
}

/** The file or folder of a call, with the folder that holds it. */
function placeOf({ arguments: args }: Call, folders: readonly string[]): string | undefined {
  if (!isJsonObject(args)) return undefined;
  const path = [args.path, args.source_path, args.file_path].find((it) => typeof it === "string");
  if (path === undefined) return undefined;
  const root = folders[Number(args.root_index ?? Number.NaN)];
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  const above = [...(root === undefined ? [] : [baseName(root)]), ...parts.slice(0, -1)];
  const name = parts.at(-1) ?? (root === undefined ? path : baseName(root));
  return above.length === 0 || parts.length === 0 ? name : `${name} in ${above.join("/")}`;
}
