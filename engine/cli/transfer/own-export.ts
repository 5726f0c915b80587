import { z } from "zod";
import { CommandFailed } from "../../../shared/cli/output.ts";
import { parseJson } from "../../../shared/json.ts";
import type { CreateMessage } from "../../client/client.ts";
import { EXPORT_TYPE, EXPORT_VERSION } from "./export.ts";

/** What an import makes: workspaces with their threads and messages, in order. */
export interface ImportedWorkspace {
  name: string;
  description: string | null;
  threads: ImportedThread[];
}

interface ImportedThread {
  title: string | null;
  messages: ImportedMessage[];
}

export type ImportedMessage = Pick<CreateMessage, "role" | "content">;

const Head = z.object({ type: z.literal(EXPORT_TYPE), version: z.int() });
const Line = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("workspace"),
    uuid: z.string(),
    name: z.string().min(1),
    description: z.string().nullish(),
  }),
  z.object({
    type: z.literal("thread"),
    uuid: z.string(),
    workspaceUuid: z.string(),
    title: z.string().nullish(),
  }),
  z.object({
    type: z.literal("message"),
    threadUuid: z.string(),
    role: z.enum(["user", "assistant", "system", "tool"]),
    content: z.string(),
  }),
]);

/**
 * Reads an export of the engine. Roots and policies are not taken over: a file of another person must not open folders, or allow
 * what asks now.
 * @throws CommandFailed with the number of the line
 */
export function parseOwnExport(text: string): ImportedWorkspace[] {
  const workspaces = new Map<string, ImportedWorkspace>();
  const threads = new Map<string, ImportedThread>();
  const lines = text.split("\n");
  requireHead(lines[0] ?? "");
  for (const [at, line] of lines.entries()) {
    if (at === 0 || line.trim() === "") continue;
    const where = `Line ${at + 1}`;
    const parsed = Line.safeParse(parseJson(line));
    if (!parsed.success) throw notImportable(where, "It is not a workspace, thread or message.");
    const entry = parsed.data;
    if (entry.type === "workspace") {
      const { uuid, name, description = null } = entry;
      workspaces.set(uuid, { name, description, threads: [] });
    } else if (entry.type === "thread") {
      const thread = { title: entry.title ?? null, messages: [] };
      const owner = workspaces.get(entry.workspaceUuid);
      if (!owner) throw notImportable(where, "Its workspace must come before it.");
      owner.threads.push(thread);
      threads.set(entry.uuid, thread);
    } else {
      const thread = threads.get(entry.threadUuid);
      if (!thread) throw notImportable(where, "Its thread must come before it.");
      thread.messages.push({ role: entry.role, content: entry.content });
    }
  }
  return [...workspaces.values()];
}

function requireHead(line: string): void {
  const head = Head.safeParse(parseJson(line));
  if (!head.success) {
    throw notImportable("Line 1", "It is neither an export of the engine nor one of ChatGPT.");
  }
  if (head.data.version > EXPORT_VERSION) {
    throw notImportable("Line 1", "A newer engine wrote this file.");
  }
}

/** A file that cannot be imported, with the place in it. */
export function notImportable(where: string, reason: string): CommandFailed {
  return new CommandFailed(`${where}: ${reason} Nothing was imported.`);
}
