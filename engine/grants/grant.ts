import { dirname, parse } from "node:path";
import { sha256, toHex } from "../../shared/bytes.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { isWithin } from "../files/protected.ts";
import type { Operation } from "../policies/operations.ts";
import type { Reach } from "../tools/builtin/builtin.ts";
import type { Remember } from "./wire.ts";

/** A call of a tool that the engine runs, as grants see it. */
export interface GrantableCall {
  toolName: string;
  group: string;
  operation: Operation;
  reach: Reach;
  /** The MCP server of the tool: the uuid of its record, and what else must stay equal; null for built-in tools. */
  server: { uuid: string; identity: readonly string[] } | null;
}

/** What lets pass all calls of a tool, or those whose paths lie below a folder. */
export interface Grant {
  uuid: string;
  /** A real path; null is everywhere. */
  folder: string | null;
}

/** Equal as long as policies, folders and tool are what the user knew. */
export async function fingerprintOf(
  { approvalConfig, directories }: Pick<WorkspaceRow, "approvalConfig" | "directories">,
  { server }: Pick<GrantableCall, "server">,
): Promise<string> {
  const parts = [approvalConfig, directories, ...(server?.identity ?? [])];
  return toHex(await sha256(JSON.stringify(parts)));
}

/** Why this call is never granted in this way, as a sentence; undefined if it can be. */
export function findRefusal(call: GrantableCall, match: Remember["match"]): string | undefined {
  const { operation, group, reach } = call;
  if (reach.protected) return "The engine's own data needs approval each time.";
  if (reach.sensitive) return "Sensitive files need approval each time.";
  if (reach.writesHidden) {
    return "Writing dot files, dot folders and AGENTS.md needs approval each time.";
  }
  if (match === "tool") {
    if (operation === "delete") return "A deletion is remembered for a folder only.";
    if (group === "filesystem")
      return "Tools for the whole machine are remembered for a folder only.";
    return undefined;
  }
  if (reach.folder === null) return "The call names no path.";
  if (parse(reach.folder).root === reach.folder) return "The folder would be the whole disk.";
  return undefined;
}

/** Whether a grant of the same tool covers a call. */
export function covers({ folder }: Grant, call: GrantableCall): boolean {
  const { reach } = call;
  if (reach.changed || findRefusal(call, folder === null ? "tool" : "path")) return false;
  if (folder === null) return true;
  return reach.paths.every(({ path, below }) => isWithin(folder, below ? dirname(path) : path));
}
