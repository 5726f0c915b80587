import { useState } from "preact/hooks";
import type { Thread } from "../../../client/client.ts";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { formatAgo } from "../ui/format.ts";
import { Loading, useLoad } from "../ui/load.tsx";
import { waiting } from "../waiting.ts";
import { useWorkspace } from "../workspaces.ts";
import { THREADS_PER_PAGE, THREADS_SHOWN_MAX } from "./limits.ts";
import { pins } from "./pins.ts";
import { groupThreads } from "./thread-groups.ts";
import { renameThread, titleOf } from "./thread-header.tsx";

/** The chats of a workspace by day. */
export function Conversations() {
  const workspace = useWorkspace();
  const [limit, setLimit] = useState(THREADS_PER_PAGE);
  // A message moves its thread to the top.
  const threads = useLoad(
    "threads",
    (signal) => engine.threads.list(workspace.uuid, { limit, versions: "newest" }, { signal }),
    /^(thread|message)\./,
  );
  return (
    <nav class="threads" aria-label="Chats">
      <Loading of={threads} label="Loading chats" />
      {groupThreads(threads.value ?? [], pins.value, Date.now()).map(([title, group]) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul class="list">
            {group.map((thread) => (
              <ThreadRow key={thread.uuid} thread={thread} />
            ))}
          </ul>
        </section>
      ))}
      {threads.value?.length === limit && limit < THREADS_SHOWN_MAX && (
        <Button
          class="quiet"
          onClick={() => {
            setLimit(Math.min(limit + THREADS_PER_PAGE, THREADS_SHOWN_MAX));
            threads.reload();
          }}
        >
          More chats
        </Button>
      )}
    </nav>
  );
}

/** A chat as a link; a double click renames it. */
export function ThreadRow({ thread }: { thread: Thread }) {
  const { uuid, workspaceUuid, updatedAt } = thread;
  const asks = waiting.value?.some(({ threadUuid }) => threadUuid === uuid);
  return (
    <li>
      <a
        class="item"
        href={hrefOf("chat", workspaceUuid, uuid)}
        title={`${titleOf(thread)}\n${formatAgo(updatedAt, Date.now())}`}
        aria-current={route.value[2] === uuid ? "page" : undefined}
        onDblClick={() => renameThread(thread)}
      >
        <span class="grow cut" dir="auto">
          {titleOf(thread)}
        </span>
        {asks && <span class="badge warn">waits for you</span>}
      </a>
    </li>
  );
}
