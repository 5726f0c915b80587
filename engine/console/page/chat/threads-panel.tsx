import { useEffect, useMemo } from "preact/hooks";
import type { Workspace } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { formatAgo } from "../ui/format.ts";
import { Failure, Progress } from "../ui/states.tsx";
import { useChanges } from "../ui/use-changes.ts";
import { useLoad } from "../ui/use-load.ts";
import { titleOf } from "./thread-header.tsx";
import { ThreadList } from "./thread-list.ts";

interface ThreadsPanelProps {
  workspace: Workspace;
  current: string | undefined;
}

/** The threads of a workspace, with a search. */
export function ThreadsPanel({ workspace, current }: ThreadsPanelProps) {
  const list = useMemo(() => new ThreadList(workspace.uuid), [workspace.uuid]);
  const asking = useAsking();
  useChanges((change) => list.take(change), workspace.uuid);
  useEffect(() => {
    void list.load();
    return () => list.leave();
  }, [list]);
  const { threads, error, hasMore, query } = list;
  return (
    <nav class="threads" aria-label="Threads">
      <a
        class="new-thread"
        href={hrefOf("chat", workspace.uuid)}
        aria-current={current === undefined ? "page" : undefined}
      >
        New thread
      </a>
      <input
        type="search"
        aria-label="Search threads and messages"
        placeholder="Search"
        value={query.value}
        onInput={({ currentTarget }) => list.search(currentTarget.value)}
      />
      {error.value && <Failure error={error.value} onRetry={() => void list.load()} />}
      {!threads.value && !error.value && <Progress label="Loading the threads" />}
      {threads.value?.length === 0 && (
        <p class="muted small">{query.value === "" ? "No thread yet" : "No title matches"}</p>
      )}
      <ul>
        {threads.value?.map((thread) => (
          <li key={thread.uuid}>
            <a
              href={hrefOf("chat", workspace.uuid, thread.uuid)}
              aria-current={thread.uuid === current ? "page" : undefined}
            >
              <span class="thread-title" dir="auto">
                {titleOf(thread)}
              </span>
              {asking.has(thread.uuid) && <span class="badge warn">asks</span>}
              <span class="muted small">{formatAgo(thread.updatedAt, Date.now())}</span>
            </a>
          </li>
        ))}
      </ul>
      {hasMore.value && (
        <button type="button" class="quiet" onClick={() => void list.loadMore()}>
          More threads
        </button>
      )}
      <Hits list={list} />
    </nav>
  );
}

function Hits({ list }: { list: ThreadList }) {
  const hits = list.hits.value;
  if (hits.length === 0) return null;
  return (
    <>
      <h2>In messages</h2>
      <ul>
        {hits.map(({ messageUuid, threadUuid, threadTitle, snippet }) => (
          <li key={messageUuid}>
            <a href={hrefOf("chat", list.workspaceUuid, threadUuid)}>
              <span class="thread-title" dir="auto">
                {titleOf({ title: threadTitle })}
              </span>
              <span class="muted small snippet" dir="auto">
                {snippet}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The threads in which a tool waits for an approval. */
function useAsking(): ReadonlySet<string> {
  const { value, reload } = useLoad("approvals", (signal) =>
    engine.turns.listApprovals({ signal }),
  );
  useChanges(({ type }) => {
    if (/^approval\.|^resync$/.test(type)) reload();
  });
  return new Set(value?.map(({ threadUuid }) => threadUuid));
}
