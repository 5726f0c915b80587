import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Loading, useLoad } from "../ui/load.tsx";
import { Marked } from "../ui/marked.tsx";
import { useWorkspace } from "../workspaces.ts";
import { HITS_SHOWN_MAX, SEARCH_WAIT_MS } from "./limits.ts";
import { titleOf } from "./thread-header.tsx";

/** Whether the search is open. */
export const opensSearch = signal(false);

/** Finds chats by their titles and messages. */
export function SearchDialog() {
  const [query, setQuery] = useState("");
  if (!opensSearch.value) return null;
  const close = () => {
    opensSearch.value = false;
  };
  return (
    <Dialog title="Search chats" onClose={close}>
      <div class="stack">
        <input
          type="search"
          aria-label="Search titles and messages"
          placeholder="Words of a title or a message"
          autofocus
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        {query.trim() !== "" && <Results query={query.trim()} onChosen={close} />}
      </div>
    </Dialog>
  );
}

function Results({ query, onChosen }: { query: string; onChosen: () => void }) {
  const { uuid } = useWorkspace();
  const found = useLoad(query, async (signal) => {
    // Typing pauses before a search begins.
    await new Promise((resolve) => setTimeout(resolve, SEARCH_WAIT_MS));
    signal.throwIfAborted();
    const limit = HITS_SHOWN_MAX;
    return Promise.all([
      engine.threads.list(uuid, { query, limit }, { signal }),
      engine.search.searchMessages({ query, workspaceUuid: uuid, limit }, { signal }),
    ]);
  });
  if (!found.value) return <Loading of={found} label="Searching" />;
  const [threads, hits] = found.value;
  if (threads.length + hits.length === 0) return <p class="muted">Nothing was found.</p>;
  return (
    <>
      {threads.length > 0 && <h3 class="muted small">Titles</h3>}
      <ul class="list">
        {threads.map((thread) => (
          <li key={thread.uuid}>
            <a class="item" href={hrefOf("chat", uuid, thread.uuid)} dir="auto" onClick={onChosen}>
              <span class="cut">
                <Marked text={titleOf(thread)} query={query} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hits.length > 0 && <h3 class="muted small">Messages</h3>}
      <ul class="list">
        {hits.map(({ messageUuid, threadUuid, threadTitle, snippet }) => (
          <li key={messageUuid}>
            <a
              class="item stacked"
              href={hrefOf("chat", uuid, threadUuid)}
              dir="auto"
              onClick={onChosen}
            >
              <strong class="cut">{titleOf({ title: threadTitle })}</strong>
              <span class="muted clamp">
                <Marked text={snippet} query={query} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
