import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { ActionButton, Button, useAction } from "../ui/action.tsx";
import { ask } from "../ui/ask.tsx";
import { formatAgo, formatDuration, formatNumber, formatTime } from "../ui/format.ts";
import { Failure, Progress } from "../ui/load.tsx";
import { Switch } from "../ui/switch.tsx";
import { changeWorkspace, useWorkspace } from "../workspaces.ts";
import { Failures } from "./failures.tsx";
import { type RateSample, rateOf } from "./index-rate.ts";
import { baseName, isWatched, pathsOf, withRootChoice } from "./roots-config.ts";

interface RootProps {
  path: string;
  rootIndex: number;
  status: RagRootStatus | undefined;
  samples: readonly RateSample[];
}

/** A folder: its state, its index run, and its switches. */
export function RootCard({ path, rootIndex, status, samples }: RootProps) {
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
        <Run progress={status.progress} samples={samples} />
      ) : (
        status && <Counts status={status} />
      )}
      {status && status.failedFiles > 0 && <Failures status={status} />}
      <div class="row">
        <Switch isOn={isEnabled} onTurn={() => choose({ enabled: !isEnabled })}>
          Search this folder
        </Switch>
        <Switch isOn={watches} onTurn={() => choose({ watch: !watches })}>
          Keep up with changes
        </Switch>
        <span class="grow" />
        <ActionButton action={index} isOff={status?.progress != null || status?.problem != null}>
          Index
        </ActionButton>
        <Button
          class="danger"
          onClick={() =>
            ask({
              title: "Remove the folder?",
              text: `Answers can no longer read “${baseName(path)}”. Its files stay.`,
              verb: "Remove",
              isDanger: true,
              run: () =>
                changeWorkspace(uuid, (now) => ({
                  directories: pathsOf(now).filter((it) => it !== path),
                })),
            })
          }
        >
          Remove
        </Button>
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
          {", indexed "}
          <time dateTime={lastIndexedAt} title={formatTime(lastIndexedAt)}>
            {formatAgo(lastIndexedAt, Date.now())}
          </time>
        </span>
      )}
    </p>
  );
}

const PHASES = {
  waiting: "Waiting for another folder",
  counting: "Counting files",
  reading: "Reading",
  embedding: "Learning what words mean here",
} as const;

type RunProps = Pick<RootProps, "samples"> & {
  progress: NonNullable<RagRootStatus["progress"]>;
};

function Run({ progress: { phase, filesDone, filesTotal }, samples }: RunProps) {
  const rate = rateOf(samples, filesTotal);
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
