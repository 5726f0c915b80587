import { isAbsolute, resolve } from "node:path";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { Message } from "../client/client.ts";

/** The files that tools of a turn read, as `path:line-line`, in the order of their first use. */
export function listSources(records: readonly Message[], roots: readonly string[]): string[] {
  const found = records.flatMap(({ role, content }) =>
    role === "tool" ? sourcesOf(parseJson(content), roots) : [],
  );
  return [...new Set(found)];
}

/** The sources of one tool record (Engine §3, turn ordering 5). */
function sourcesOf(record: unknown, roots: readonly string[]): string[] {
  if (!isJsonObject(record) || record.status !== "completed") return [];
  const { tool_name: tool, arguments: given, result } = record;
  if (tool === "search_workspace_index") return passagesOf(result, roots);
  if (tool !== "read_workspace_file" && tool !== "read_file") return [];
  if (!isJsonObject(given)) return [];
  const place = placeOf(given, tool === "read_file" ? [] : roots);
  return place === undefined ? [] : [place + linesRead(given, result)];
}

function passagesOf(result: unknown, roots: readonly string[]): string[] {
  const passages = isJsonObject(result) ? result.results : undefined;
  if (!Array.isArray(passages)) return [];
  return passages.filter(isJsonObject).flatMap((passage) => {
    const place = placeOf(passage, roots);
    const { start_line: start, end_line: end } = passage;
    if (place === undefined) return [];
    return typeof start === "number" ? `${place}:${start}-${end ?? start}` : place;
  });
}

function placeOf(named: Record<string, unknown>, roots: readonly string[]): string | undefined {
  const { path, root_index: index } = named;
  if (typeof path !== "string") return undefined;
  const root = roots[typeof index === "number" ? index : 0];
  return root === undefined || isAbsolute(path) ? path : resolve(root, path);
}

/** The lines of a first piece are known; a later piece begins at a number of bytes. */
function linesRead(given: Record<string, unknown>, result: unknown): string {
  const content = isJsonObject(result) ? result.content : undefined;
  if (typeof content !== "string" || (given.offset ?? 0) !== 0) return "";
  const lines = content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
  return `:1-${Math.max(1, lines)}`;
}
