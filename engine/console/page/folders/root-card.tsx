import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { formatAgo, formatDuration, formatNumber } from "../ui/format.ts";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { Failures } from "./failures.tsx";
import { type RateSample, rateOf } from "./index-rate.ts";
import { isWatched, pathsOf, withRootChoice } from "./roots-config.ts";

/** A root: its state, its index run, and its switches. */
export function RootCard({
  workspace,
  path,
  rootIndex,
  status,
  samples,
}: WorkspaceProps & {
  path: string;
  rootIndex: number;
  status: RagRootStatus | undefined;
  samples: readonly RateSample[];
}) {
  const { uuid } = workspace;
  const index = useAction(() => engine.retrieval.indexRoot(uuid, rootIndex));
  const remove = useAction(() =>
    changeWorkspace(uuid, (current) => ({
      directories: pathsOf(current).filter((it) => it !== path),
    })),
  );
  const error = index.error ?? remove.error;
  return (
    <article class="card" aria-label={path}>
      <div class="row spread">
        <h3 class="wrap root-path">
          <bdi>{path}</bdi>
        </h3>
        {status && <StateBadge status={status} />}
      </div>
      {status?.problem && <p class="failure">{status.problem}</p>}
      {status?.watchProblem && <p class="warn-text">{status.watchProblem}</p>}
      {status && <Counts status={status} />}
      {status?.progress && <Run progress={status.progress} samples={samples} />}
      {status && status.failedFiles > 0 && <Failures workspace={workspace} status={status} />}
      <div class="row spread">
        <Switches workspace={workspace} path={path} status={status} />
        <div class="row">
          <ActionButton action={index} isOff={status?.progress != null || status?.problem != null}>
            Index
          </ActionButton>
          <ConfirmButton
            label="Remove"
            question="Remove this root? Its files stay."
            action={remove}
          />
        </div>
      </div>
      {error && <Failure error={error} />}
    </article>
  );
}

function StateBadge({ status }: { status: RagRootStatus }) {
  if (status.problem) return <span class="badge bad">problem</span>;
  if (!status.enabled) return <span class="badge">switched off</span>;
  if (status.progress) return <span class="badge">indexing</span>;
  if (!status.lastIndexedAt) return <span class="badge warn">not indexed yet</span>;
  return <span class="badge good">{status.watching ? "watched" : "indexed"}</span>;
}

function Counts({ status }: { status: RagRootStatus }) {
  const { documents, chunks, lastIndexedAt } = status;
  return (
    <p class="muted">
      {formatNumber(documents)} documents · {formatNumber(chunks)} pieces
      {lastIndexedAt && (
        <>
          {" · indexed "}
          <time dateTime={lastIndexedAt}>{formatAgo(lastIndexedAt, Date.now())}</time>
        </>
      )}
    </p>
  );
}

const PHASES = {
  waiting: "Waiting for its turn",
  counting: "Counting files",
  reading: "Reading",
  embedding: "Computing vectors",
} as const;

function Run({
  progress,
  samples,
}: {
  progress: NonNullable<RagRootStatus["progress"]>;
  samples: readonly RateSample[];
}) {
  const { phase, filesDone, filesTotal } = progress;
  const rate = rateOf(samples, filesTotal);
  const label = PHASES[phase] ?? phase;
  return (
    <div class="run">
      <Progress label={label} share={filesTotal ? filesDone / filesTotal : undefined} />
      <p class="small">
        {label}: {formatNumber(filesDone)}
        {filesTotal !== null && ` of ${formatNumber(filesTotal)}`} files
        {rate && ` · ${formatNumber(Math.round(rate.filesPerSecond))} a second`}
        {rate?.leftMs !== undefined && ` · ${formatDuration(rate.leftMs)} left`}
      </p>
    </div>
  );
}

function Switches({
  workspace,
  path,
  status,
}: WorkspaceProps & { path: string; status: RagRootStatus | undefined }) {
  const choose = (choice: { enabled?: boolean; watch?: boolean }) =>
    changeWorkspace(workspace.uuid, ({ ragConfig }) => ({
      ragConfig: withRootChoice(ragConfig, path, choice),
    }));
  const isEnabled = status?.enabled ?? true;
  const watches = isWatched(workspace.ragConfig, path);
  const enable = useAction(() => choose({ enabled: !isEnabled }));
  const watch = useAction(() => choose({ watch: !watches }));
  const error = enable.error ?? watch.error;
  return (
    <div class="row">
      <label class="switch">
        <input type="checkbox" checked={isEnabled} onChange={enable.run} /> Searched
      </label>
      <label class="switch">
        <input type="checkbox" checked={watches} onChange={watch.run} /> Follows changes
      </label>
      {error && <Failure error={error} />}
    </div>
  );
}
