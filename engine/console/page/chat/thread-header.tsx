import type { Thread } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { ask } from "../ui/ask.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { pins, turnPin } from "./pins.ts";
import { saveThread } from "./save-thread.ts";
import { listVersions } from "./versions.ts";

/** The title of a chat, and what can be done with it. */
export function ThreadHeader({ thread }: { thread: Thread | undefined }) {
  const isPinned = thread !== undefined && pins.value.includes(thread.uuid);
  return (
    <header class="thread-header row spread">
      <h1 class="grow cut" dir="auto" onDblClick={() => thread && renameThread(thread)}>
        {thread ? titleOf(thread) : "…"}
      </h1>
      {thread && (
        <Menu label="This chat" text={<Icon name="more" />} class="quiet icon-only">
          <Button class="item" onClick={() => renameThread(thread)}>
            Rename
          </Button>
          <Button class="item" onClick={() => turnPin(thread.uuid)}>
            {isPinned ? "Unpin" : "Pin"}
          </Button>
          <Button class="item" onClick={() => save(thread, "md")}>
            Save as Markdown
          </Button>
          <Button class="item" onClick={() => save(thread, "json")}>
            Save as JSON
          </Button>
          <hr />
          <Button class="item danger" onClick={() => deleteThread(thread)}>
            Delete
          </Button>
        </Menu>
      )}
    </header>
  );
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
