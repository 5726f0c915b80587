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
          placeholder="Words in a title or message"
          autofocus
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          // The browser would empty the field first.
          onKeyDown={({ key }) => key === "Escape" && close()}
        />
        {query.trim() !== "" && <Results query={query.trim()} onChosen={close} />}
      </div>
    </Dialog>
  );
}

function Results({ query, onChosen }: { query: string; onChosen: () => void }) {
  const { uuid: workspaceUuid } = useWorkspace();
  const found = useLoad(query, async (signal) => {
    // Typing pauses before a search begins.
    await new Promise((resolve) => setTimeout(resolve, SEARCH_WAIT_MS));
    signal.throwIfAborted();
    const limit = HITS_SHOWN_MAX;
    return Promise.all([
      engine.threads.list(workspaceUuid, { query, limit }, { signal }),
      engine.search.searchMessages({ query, workspaceUuid, limit }, { signal }),
    ]);
  });
  if (!found.value) return <Loading of={found} label="Searching" />;
  const [threads, hits] = found.value;
  const lists = [
    ["Titles", threads.map((it) => ({ uuid: it.uuid, title: it.title, snippet: undefined }))],
    [
      "Messages",
      hits.map((it) => ({ uuid: it.threadUuid, title: it.threadTitle, snippet: it.snippet })),
    ],
  ] as const;
  if (threads.length + hits.length === 0) return <p class="muted">No results.</p>;
  return lists.map(
    ([name, found]) =>
      found.length > 0 && (
        <section key={name} aria-label={name}>
          <h3 class="muted small">{name}</h3>
          <ul class="list">
            {found.map(({ uuid, title, snippet }, at) => (
              <li key={at}>
                <a
                  class="item stacked"
                  href={hrefOf("chat", workspaceUuid, uuid)}
                  dir="auto"
                  onClick={onChosen}
                >
                  <span class="cut">
                    <Marked text={titleOf({ title })} query={query} />
                  </span>
                  {snippet !== undefined && (
                    <span class="muted clamp">
                      <Marked text={snippet} query={query} />
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ),
  );
}
