import type { Thread } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { NameButtons } from "./name-dialogs.tsx";

/** The title of a thread, and what can be done with it. */
export function ThreadHeader({ thread }: { thread: Thread | undefined }) {
  return (
    <header class="thread-header">
      <h1 dir="auto">{thread ? titleOf(thread) : "…"}</h1>
      {thread && (
        <span class="row">
          <NameButtons
            noun="thread"
            name={thread.title ?? ""}
            loss={`“${titleOf(thread)}” and its messages are deleted for good. A turn that runs ends.`}
            onRename={(title) => engine.threads.update(thread.uuid, { title })}
            onDelete={async () => {
              await engine.threads.delete(thread.uuid);
              location.hash = hrefOf("chat", thread.workspaceUuid);
            }}
          />
        </span>
      )}
    </header>
  );
}

/** The title of a thread as it is listed. */
export function titleOf({ title }: Pick<Thread, "title">): string {
  return title?.trim() || "Untitled";
}
