import { useState } from "preact/hooks";
import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { formatNumber } from "../ui/format.ts";
import { Loading, useLoad } from "../ui/load.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { useWorkspace } from "../workspaces.ts";

type FailuresProps = { status: RagRootStatus };

/** What could not be read of a folder, once it is opened. */
export function Failures({ status }: FailuresProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="warn">{formatNumber(status.failedFiles)} could not be read</summary>
      {isOpen && <FailureList status={status} />}
    </details>
  );
}

function FailureList({ status: { rootIndex, lastIndexedAt } }: FailuresProps) {
  const workspace = useWorkspace();
  const list = useLoad(`${rootIndex} ${lastIndexedAt}`, (signal) =>
    engine.retrieval.listIndexingFailures(workspace.uuid, { rootIndex }, { signal }),
  );
  if (!list.value) return <Loading of={list} label="Loading the failures" />;
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
