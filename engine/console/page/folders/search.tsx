import { useState } from "preact/hooks";
import type { RagResult, RagSearch } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { type ScoreShares, scoreShares } from "./scores.ts";

const MODES = ["hybrid", "keyword", "vector"] as const;

/** A search over the indexes of the workspace. */
export function Search({ workspace }: WorkspaceProps) {
  const [query, setQuery] = useState("");
  const [mode, setMode] = useState<RagSearch["mode"]>("hybrid");
  const [asked, setAsked] = useState<{ query: string; times: number }>();
  return (
    <section aria-labelledby="search">
      <h2 id="search">Search</h2>
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
          <select
            aria-label="How to search"
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as RagSearch["mode"])}
          >
            {MODES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
          <button type="submit" class="primary">
            Search
          </button>
        </form>
      </search>
      {asked && (
        <Hits
          key={`${asked.times} ${mode}`}
          workspace={workspace}
          search={{ query: asked.query, mode, limit: 10, skipUnavailableRoots: true }}
        />
      )}
    </section>
  );
}

function Hits({ workspace, search }: WorkspaceProps & { search: RagSearch }) {
  const found = useLoad(search.query, (signal) =>
    engine.retrieval.searchWorkspace(workspace.uuid, search, { signal }),
  );
  if (found.error) return <Failure error={found.error} onRetry={found.reload} />;
  if (!found.value) return <Progress label="Searching" />;
  if (found.value.length === 0) {
    return (
      <Empty title="Nothing was found">
        <p>Only indexed files are searched. Index the roots, or try other words.</p>
      </Empty>
    );
  }
  const shares = scoreShares(found.value);
  return (
    <>
      <p class="muted small" role="status">
        {found.value.length} passages. The bars compare the hits of this search.
      </p>
      <ol class="hits">
        {found.value.map((hit, at) => (
          <li key={`${hit.rootIndex} ${hit.chunkId}`}>
            <Hit hit={hit} shares={shares[at]} workspaceUuid={workspace.uuid} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Hit({
  hit,
  shares,
  workspaceUuid,
}: {
  hit: RagResult;
  shares: ScoreShares | undefined;
  workspaceUuid: string;
}) {
  const { path, rootIndex, startLine, endLine, sensitive, content } = hit;
  const lines = startLine === null ? undefined : `${startLine}-${endLine ?? startLine}`;
  const href = hrefOf("folders", workspaceUuid, String(rootIndex), path, ...(lines ? [lines] : []));
  return (
    <article class="card">
      <div class="row spread">
        <h3 class="wrap">
          <a href={href}>
            <bdi>{path}</bdi>
          </a>
          {lines && <span class="muted small"> lines {lines.replace("-", "–")}</span>}
        </h3>
        {sensitive && <span class="badge warn">withheld</span>}
      </div>
      <div class="scores">
        <ScoreBar label="Words" score={hit.keywordScore} share={shares?.keyword} />
        <ScoreBar label="Meaning" score={hit.vectorScore} share={shares?.vector} />
      </div>
      <p class="passage">{content}</p>
    </article>
  );
}

function ScoreBar({
  label,
  score,
  share,
}: {
  label: string;
  score: number | undefined;
  share: number | undefined;
}) {
  if (score === undefined || share === undefined) return null;
  return (
    <span class="score">
      <span class="small muted">{label}</span>
      <meter min={0} max={1} value={share} aria-label={`${label}: ${score.toFixed(3)}`} />
      <span class="small">{score > 0 && score < 0.01 ? "<0.01" : score.toFixed(2)}</span>
    </span>
  );
}
