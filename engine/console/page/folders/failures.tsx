import { useState } from "preact/hooks";
import type { RagRootStatus } from "../../../client/client.ts";
import type { WorkspaceProps } from "../page.ts";
import { engine } from "../session.ts";
import { formatNumber } from "../ui/format.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";

type FailuresProps = WorkspaceProps & { status: RagRootStatus };

/** What could not be read of a folder, once it is opened. */
export function Failures({ workspace, status }: FailuresProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="warn">{formatNumber(status.failedFiles)} could not be read</summary>
      {isOpen && <FailureList workspace={workspace} status={status} />}
    </details>
  );
}

function FailureList({ workspace, status: { rootIndex, lastIndexedAt } }: FailuresProps) {
  const list = useLoad(`${rootIndex} ${lastIndexedAt}`, (signal) =>
    engine.retrieval.listIndexingFailures(workspace.uuid, { rootIndex }, { signal }),
  );
  if (list.error) return <Failure error={list.error} onRetry={list.reload} />;
  if (!list.value) return <Progress label="Loading the failures" />;
  return (
    <Scrollable label="What could not be read">
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
