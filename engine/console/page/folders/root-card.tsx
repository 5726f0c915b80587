import { useState } from "preact/hooks";
import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { Ago } from "../ui/ago.tsx";
import { LossButton } from "../ui/ask.tsx";
import { formatDuration, formatNumber } from "../ui/format.ts";
import { Failure, Loading, Progress, useLoad } from "../ui/load.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { Switch } from "../ui/switch.tsx";
import { changeWorkspace, useWorkspace } from "../workspaces.ts";
import { rateOf, type SeenRun } from "./index-rate.ts";
import { baseName, isWatched, pathsOf, withRootChoice } from "./roots-config.ts";

interface RootProps {
  path: string;
  rootIndex: number;
  status: RagRootStatus | undefined;
  run: SeenRun | undefined;
}

/** A folder: its state, its index run, and its switches. */
export function RootCard({ path, rootIndex, status, run }: RootProps) {
  const workspace = useWorkspace();
  const { uuid } = workspace;
  const index = useAction(() => engine.retrieval.indexRoot(uuid, rootIndex));
  const choose = (choice: { enabled?: boolean; watch?: boolean }) =>
    changeWorkspace(uuid, ({ ragConfig }) => ({
      ragConfig: withRootChoice(ragConfig, path, choice),
    }));
  const isEnabled = status?.enabled ?? true;
  const watches = isWatched(workspace.ragConfig, path);
  return (
    <article class="card" aria-label={path}>
      <div class="row spread">
        <h2 title={path}>
          <bdi>{baseName(path)}</bdi>
        </h2>
        {status && <StateBadge status={status} />}
      </div>
      <p class="muted small wrap">
        <bdi>{path}</bdi>
      </p>
      {status?.problem && <p class="failure">{status.problem}</p>}
      {status?.watchProblem && <p class="warn">{status.watchProblem}</p>}
      {status?.progress ? (
        <Run progress={status.progress} run={run} />
      ) : (
        status && <Counts status={status} />
      )}
      {status && status.failedFiles > 0 && <Failures status={status} />}
      <div class="row">
        <Switch isOn={isEnabled} onTurn={() => choose({ enabled: !isEnabled })}>
          Search this folder
        </Switch>
        <Switch isOn={watches} onTurn={() => choose({ watch: !watches })}>
          Index changes automatically
        </Switch>
        <span class="grow" />
        <ActionButton action={index} disabled={status?.progress != null || status?.problem != null}>
          Index
        </ActionButton>
        <LossButton
          verb="Remove"
          title="Remove this folder?"
          text={`Answers can no longer read “${baseName(path)}”. Its files are not deleted.`}
          run={() =>
            changeWorkspace(uuid, (now) => ({
              directories: pathsOf(now).filter((it) => it !== path),
            }))
          }
        />
      </div>
      {index.error && <Failure error={index.error} />}
    </article>
  );
}

function StateBadge({ status }: { status: RagRootStatus }) {
  if (status.problem) return <span class="badge bad">Problem</span>;
  if (!status.enabled) return <span class="badge">Not searched</span>;
  if (status.progress) return <span class="badge">Indexing</span>;
  if (!status.lastIndexedAt) return <span class="badge warn">Not indexed yet</span>;
  return <span class="badge good">{status.watching ? "Up to date" : "Indexed"}</span>;
}

function Counts({ status: { documents, chunks, lastIndexedAt } }: { status: RagRootStatus }) {
  return (
    <p>
      {formatNumber(documents)} {documents === 1 ? "file" : "files"} in {formatNumber(chunks)}{" "}
      {chunks === 1 ? "passage" : "passages"}
      {lastIndexedAt && (
        <span class="muted">
          , indexed <Ago at={lastIndexedAt} />
        </span>
      )}
    </p>
  );
}

const PHASES = {
  waiting: "Waiting for another folder",
  counting: "Counting files",
  reading: "Reading",
  embedding: "Learning how your files use words",
} as const;

type RunProps = Pick<RootProps, "run"> & { progress: NonNullable<RagRootStatus["progress"]> };

function Run({ progress: { phase, filesDone, filesTotal }, run }: RunProps) {
  const rate = rateOf(run, filesTotal);
  const label = PHASES[phase] ?? phase;
  return (
    <>
      <Progress label={label} share={filesTotal ? filesDone / filesTotal : undefined} />
      <p class="small">
        {label}: {formatNumber(filesDone)}
        {filesTotal !== null && ` of ${formatNumber(filesTotal)}`} files
        {rate && ` · ${formatNumber(Math.round(rate.filesPerSecond))} a second`}
        {rate?.leftMs !== undefined && ` · ${formatDuration(rate.leftMs)} left`}
      </p>
    </>
  );
}

/** The files of a folder that could not be read; loaded when it is opened. */
function Failures({ status }: { status: RagRootStatus }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="warn">{formatNumber(status.failedFiles)} could not be read</summary>
      {isOpen && <FailureList status={status} />}
    </details>
  );
}

function FailureList({ status: { rootIndex, lastIndexedAt } }: { status: RagRootStatus }) {
  const workspace = useWorkspace();
  const list = useLoad(`${rootIndex} ${lastIndexedAt}`, (signal) =>
    engine.retrieval.listIndexingFailures(workspace.uuid, { rootIndex }, { signal }),
  );
  if (!list.value) return <Loading of={list} label="Loading failures" />;
  return (
    <Scrollable label="Files that could not be read">
      <ul class="list divided">
        {list.value.map(({ path, reason }) => (
          <li key={path} class="stacked wrap">
            <bdi>{path}</bdi> <span class="muted small">{reason}</span>
          </li>
        ))}
      </ul>
    </Scrollable>
  );
}
