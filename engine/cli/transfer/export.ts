import type { EngineClient, Message, Thread, Turn, Workspace } from "../../client/client.ts";

/** The first line of an export as JSON Lines. */
export const EXPORT_TYPE = "roundhouse.export";
export const EXPORT_VERSION = 1;

// The person's own time zone.
const TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

/** What an export is made of, in the order of the file. */
type Part =
  | ({ type: "workspace" } & Workspace)
  | ({ type: "thread" } & Thread)
  | ({ type: "message" } & Message);

/** An export as JSON Lines: a head, then each workspace, its threads, and the messages of each. */
export async function* exportJsonLines(
  engine: EngineClient,
  exportedAt: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield line({ type: EXPORT_TYPE, version: EXPORT_VERSION, exportedAt });
  for await (const part of readParts(engine, signal)) yield line(part);
}

/** The conversations as one Markdown document, with what was said of answers that were stopped. Records of tools are left out. */
export async function* exportMarkdown(
  engine: EngineClient,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let stopped = new Map<string, Turn>();
  for await (const part of readParts(engine, signal)) {
    if (part.type === "workspace") yield `# ${heading(part.name)}\n\n`;
    else if (part.type === "thread") {
      yield `## ${heading(part.title ?? "Untitled")}\n\n`;
      const turns = await engine.turns.listThread(part.uuid, {}, { signal });
      stopped = new Map(turns.map((turn) => [turn.userMessageUuid, turn]));
    } else if (part.role !== "tool") {
      const { uuid, role, createdAt, content } = part;
      yield section(role, createdAt, content);
      const { partialText, endedAt } = stopped.get(uuid) ?? {};
      if (partialText && endedAt) yield section("assistant, stopped", endedAt, partialText);
    }
  }
}

function section(who: string, at: string, text: string): string {
  return `**${who}**, ${TIME.format(new Date(at))}\n\n${text}\n\n`;
}

async function* readParts(engine: EngineClient, signal: AbortSignal): AsyncGenerator<Part> {
  for (const workspace of await engine.workspaces.list({ signal })) {
    yield { type: "workspace", ...workspace };
    for (const thread of await engine.threads.list(workspace.uuid, {}, { signal })) {
      yield { type: "thread", ...thread };
      const messages = await engine.messages.list(thread.uuid, {}, { signal });
      for (const message of messages) yield { type: "message", ...message };
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function heading(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
