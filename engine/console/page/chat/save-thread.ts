import type { Thread } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { formatTime } from "../ui/format.ts";
import { type Row, rowsOf } from "./rows.ts";

const NAMES = { user: "You", assistant: "Assistant", system: "System" } as const;

/** Saves a chat as a file of the browser's downloads. @throws EngineError */
export async function saveThread(thread: Thread, format: "md" | "json"): Promise<void> {
  const [messages, turns] = await Promise.all([
    engine.messages.list(thread.uuid),
    engine.turns.listThread(thread.uuid),
  ]);
  const text =
    format === "json"
      ? JSON.stringify({ thread, messages, turns }, undefined, 2)
      : toMarkdown(thread, rowsOf(messages, turns));
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${thread.title?.replace(/[^\p{L}\p{N} ._-]+/gu, "").trim() || "chat"}.${format}`;
  link.click();
  URL.revokeObjectURL(address);
}

/** What people and models wrote, stopped answers with how they ended; tool calls are left out. */
function toMarkdown({ title }: Thread, rows: readonly Row[]): string {
  const parts = rows.flatMap((row) => {
    if (row.kind === "outcome") {
      return `**Assistant**, ${row.turn.state}\n\n${row.turn.partialText ?? ""}\n`;
    }
    const { role, createdAt, content } = row.message;
    return role === "tool" ? [] : `**${NAMES[role]}**, ${formatTime(createdAt)}\n\n${content}\n`;
  });
  return [`# ${title ?? "Untitled"}\n`, ...parts].join("\n");
}
