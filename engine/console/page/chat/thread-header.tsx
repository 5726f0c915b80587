import { useState } from "preact/hooks";
import type { EngineClient, Thread } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { DeleteDialog, NameDialog } from "./name-dialogs.tsx";

/** The title of a thread, and what can be done with it. */
export function ThreadHeader({
  engine,
  thread,
}: {
  engine: EngineClient;
  thread: Thread | undefined;
}) {
  const [dialog, setDialog] = useState<"rename" | "delete">();
  const close = () => setDialog(undefined);
  return (
    <header class="thread-header">
      <h1 dir="auto">{thread ? titleOf(thread) : "…"}</h1>
      {thread && (
        <span class="row">
          <button type="button" class="quiet small" onClick={() => setDialog("rename")}>
            Rename
          </button>
          <button type="button" class="quiet small danger" onClick={() => setDialog("delete")}>
            Delete
          </button>
        </span>
      )}
      {thread && dialog === "rename" && (
        <NameDialog
          title="Rename the thread"
          name={thread.title ?? ""}
          verb="Rename"
          onClose={close}
          onSubmit={(title) => engine.threads.update(thread.uuid, { title })}
        />
      )}
      {thread && dialog === "delete" && (
        <DeleteDialog
          title="Delete the thread?"
          text={`“${titleOf(thread)}” and its messages are deleted for good. A turn that runs ends.`}
          onClose={close}
          onDelete={async () => {
            await engine.threads.delete(thread.uuid);
            location.hash = hrefOf("chat", thread.workspaceUuid);
          }}
        />
      )}
    </header>
  );
}

/** The title of a thread as it is listed. */
export function titleOf({ title }: Pick<Thread, "title">): string {
  return title?.trim() || "Untitled";
}
