import { useState } from "preact/hooks";
import type { RagResult, RagSearch } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Choice } from "../ui/form.tsx";
import { Empty, Loading, useLoad } from "../ui/load.tsx";
import { Marked } from "../ui/marked.tsx";
import { useWorkspace } from "../workspaces.ts";
import { baseName, pathsOf } from "./roots-config.ts";

type Mode = NonNullable<RagSearch["mode"]>;

const MODES: readonly (readonly [Mode, string])[] = [
  ["hybrid", "Words and meaning"],
  ["keyword", "Words only"],
  ["vector", "Meaning only"],
];

/** A search over the indexes of the workspace. */
export function Search() {
  const [query, setQuery] = useState("");
  const [mode, setMode] = useState<Mode>("hybrid");
  const [asked, setAsked] = useState<{ query: string; times: number }>();
  return (
    <>
      <search>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (query.trim() !== "") setAsked({ query, times: (asked?.times ?? 0) + 1 });
          }}
        >
          <input
            class="grow"
            type="search"
            aria-label="What to search for"
            placeholder="What do the files say about…"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <Choice label="How to search" isBare options={MODES} value={mode} onChoose={setMode} />
          <button type="submit" class="primary">
            Search
          </button>
        </form>
      </search>
      {asked && (
        <Hits
          key={`${asked.times} ${mode}`}
          search={{ query: asked.query, mode, limit: 10, skipUnavailableRoots: true }}
        />
      )}
    </>
  );
}

function Hits({ search }: { search: RagSearch }) {
  const workspace = useWorkspace();
  const found = useLoad(search.query, (signal) =>
    engine.retrieval.searchWorkspace(workspace.uuid, search, { signal }),
  );
  if (!found.value) return <Loading of={found} label="Searching" />;
  if (found.value.length === 0) {
    return (
      <Empty title="No results">
        <p>Only indexed files are searched. Try other words, or check Indexing.</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="muted small" role="status">
        {found.value.length === 1 ? "1 passage" : `${found.value.length} passages`}, best first
      </p>
      <ol class="list divided">
        {found.value.map((hit) => (
          <Hit key={`${hit.rootIndex} ${hit.chunkId}`} hit={hit} query={search.query} />
        ))}
      </ol>
    </>
  );
}

function Hit({ hit, query }: { hit: RagResult; query: string }) {
  const workspace = useWorkspace();
  const { path, rootIndex, startLine, endLine, sensitive, content } = hit;
  const lines = startLine === null ? undefined : `${startLine}-${endLine ?? startLine}`;
  const place = [String(rootIndex), path, ...(lines ? [lines] : [])];
  return (
    <li class="stacked wrap">
      <span class="row">
        <a href={hrefOf("folders", workspace.uuid, "files", ...place)}>
          <bdi>{path}</bdi>
        </a>
        <span class="muted small">
          {lines && `lines ${lines.replace("-", "–")} `}in{" "}
          {baseName(pathsOf(workspace)[rootIndex] ?? "")}
        </span>
        {sensitive && <span class="badge warn">Withheld</span>}
      </span>
      <span class="clamp">
        <Marked text={content} query={query} />
      </span>
    </li>
  );
}
