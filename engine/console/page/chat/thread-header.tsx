import type { Thread } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { ask } from "../ui/ask.tsx";
import { formatTime } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { pins, turnPin } from "./pins.ts";
import { type Row, rowsOf } from "./rows.ts";
import { listVersions } from "./versions.ts";

/** The title of a chat, and what can be done with it. */
export function ThreadHeader({ thread }: { thread: Thread | undefined }) {
  return (
    <header class="thread-header row spread">
      <h1 class="grow cut" dir="auto" onDblClick={() => thread && renameThread(thread)}>
        {thread ? titleOf(thread) : "…"}
      </h1>
      {thread && (
        <Menu label="This chat" text={<Icon name="more" />} class="quiet icon-only">
          {actionsOf(thread).map(([name, run]) => (
            <Button key={name} class="item" onClick={run}>
              {name}
            </Button>
          ))}
          <hr />
          <Button class="item danger" onClick={() => deleteThread(thread)}>
            Delete
          </Button>
        </Menu>
      )}
    </header>
  );
}

function actionsOf(thread: Thread): readonly (readonly [name: string, run: () => void])[] {
  return [
    ["Rename", () => renameThread(thread)],
    [pins.value.includes(thread.uuid) ? "Unpin" : "Pin", () => turnPin(thread.uuid)],
    ["Save as Markdown", () => save(thread, "md")],
    ["Save as JSON", () => save(thread, "json")],
  ];
}

/** The title of a chat as it is listed. */
export function titleOf({ title }: Pick<Thread, "title">): string {
  return title?.trim() || "Untitled";
}

/** Asks for another title of a chat. */
export function renameThread({ uuid, title }: Thread): void {
  ask({
    title: "Rename chat",
    field: { label: "Title", value: title ?? "" },
    verb: "Rename",
    run: (typed) => engine.threads.update(uuid, { title: typed }),
  });
}

function deleteThread(thread: Thread): void {
  ask({
    title: "Delete this chat?",
    text: `This permanently deletes “${titleOf(thread)}”, its messages and all their versions. An answer in progress stops.`,
    verb: "Delete",
    isDanger: true,
    run: async () => {
      for (const uuid of await listVersions(engine.threads, thread.uuid))
        await engine.threads.delete(uuid);
      location.hash = hrefOf("chat", thread.workspaceUuid);
    },
  });
}

function save(thread: Thread, format: "md" | "json"): void {
  saveThread(thread, format).catch(({ message }: Error) =>
    ask({
      title: "The chat was not saved",
      text: message,
      verb: "Try again",
      run: () => saveThread(thread, format),
    }),
  );
}

const NAMES = { user: "You", assistant: "Assistant", system: "System" } as const;

/** Saves a chat as a file of the browser's downloads. @throws EngineError */
async function saveThread(thread: Thread, format: "md" | "json"): Promise<void> {
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
function toMarkdown(thread: Thread, rows: readonly Row[]): string {
  const parts = rows.flatMap((row) => {
    if (row.kind === "outcome") {
      return `**Assistant**, ${row.turn.state}\n\n${row.turn.partialText ?? ""}\n`;
    }
    const { role, createdAt, content } = row.message;
    return role === "tool" ? [] : `**${NAMES[role]}**, ${formatTime(createdAt)}\n\n${content}\n`;
  });
  return [`# ${titleOf(thread)}\n`, ...parts].join("\n");
}
