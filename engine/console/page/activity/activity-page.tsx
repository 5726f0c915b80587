import { useState } from "preact/hooks";
import { seenChanges } from "../changes.ts";
import { requests } from "../connection.ts";
import { curlOf } from "../curl.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatClock, formatDuration, formatNumber } from "../ui/format.ts";
import { Empty } from "../ui/states.tsx";
import { type Entry, filterEntries, KINDS, type Kind, toEntries } from "./entries.ts";
import { frames, useFrames } from "./frames.ts";

const ENTRIES_SHOWN = 100;

const KIND_NAMES = { request: "Requests", change: "Changes", frame: "Turn events" } as const;

/** Activity: what this console asked, what changed in the engine, and the events of turns, as they come. */
export function ActivityPage() {
  useFrames();
  const live = toEntries({
    requests: requests.value,
    changes: seenChanges.value,
    frames: frames.value,
  });
  const [held, setHeld] = useState<readonly Entry[]>();
  const [text, setText] = useState("");
  const [kinds, setKinds] = useState<ReadonlySet<Kind>>(new Set(KINDS));
  const [shown, setShown] = useState(ENTRIES_SHOWN);
  const found = filterEntries(held ?? live, kinds, text);
  const news = held ? countNews(live, held) : 0;
  return (
    <>
      <h1>Activity</h1>
      <div class="row end">
        <label class="field grow">
          <span>Filter</span>
          <input
            type="search"
            value={text}
            placeholder="a path, a kind of event, a uuid…"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        {KINDS.map((kind) => (
          <label class="switch" key={kind}>
            <input
              type="checkbox"
              checked={kinds.has(kind)}
              onChange={() => setKinds(toggled(kinds, kind))}
            />
            {KIND_NAMES[kind]}
          </label>
        ))}
        <button
          type="button"
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held ? undefined : live)}
        >
          {held ? `Go on${news > 0 ? ` (${formatNumber(news)} new)` : ""}` : "Pause"}
        </button>
      </div>
      {found.length === 0 && (
        <Empty title={text === "" ? "Nothing has happened yet" : "Nothing fits the filter"}>
          <p>Use another page or client: what it does appears here.</p>
        </Empty>
      )}
      <ol class="events">
        {found.slice(0, shown).map((entry) => (
          <li key={entry.key}>
            <Row entry={entry} />
          </li>
        ))}
      </ol>
      {found.length > shown && (
        <button type="button" onClick={() => setShown(shown + ENTRIES_SHOWN)}>
          Show more ({formatNumber(found.length - shown)} left)
        </button>
      )}
    </>
  );
}

function countNews(live: readonly Entry[], held: readonly Entry[]): number {
  const since = held[0]?.at ?? 0;
  return live.filter(({ at }) => at > since).length;
}

function toggled(kinds: ReadonlySet<Kind>, kind: Kind): Set<Kind> {
  const next = new Set(kinds);
  if (!next.delete(kind)) next.add(kind);
  return next;
}

function Row({ entry }: { entry: Entry }) {
  const { kind, at, title, request } = entry;
  const [isOpen, setOpen] = useState(false);
  const details = isOpen ? entry.details() : "";
  return (
    <details class="event" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <time class="muted small">{formatClock(at)}</time>
        <span class="badge">{kind}</span>
        <bdi class="title">{title}</bdi>
        {request && <Outcome status={request.status} durationMs={request.durationMs} />}
      </summary>
      {request && (
        <p class="row">
          <CopyButton
            label="Copy as curl"
            text={() => curlOf({ ...request, url: `${location.origin}${request.path}` })}
          />
          <span class="muted small">
            The token stays <code>$TOKEN</code>; secrets of the body are left out.
          </span>
        </p>
      )}
      {details !== "" && <pre class="wrap">{details}</pre>}
    </details>
  );
}

function Outcome({
  status,
  durationMs,
}: {
  status: number | undefined;
  durationMs: number | undefined;
}) {
  if (status === undefined) return <span class="badge">running</span>;
  const kind = status >= 400 ? "bad" : status === 0 ? "" : "good";
  return (
    <>
      <span class={`badge ${kind}`}>{status === 0 ? "no answer" : status}</span>
      {durationMs !== undefined && <span class="muted small">{formatDuration(durationMs)}</span>}
    </>
  );
}
