import { useState } from "preact/hooks";
import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { formatNumber } from "../ui/format.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";

/** What could not be read of a root, once it is opened. */
export function Failures({ workspace, status }: WorkspaceProps & { status: RagRootStatus }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="warn-text">{formatNumber(status.failedFiles)} could not be read</summary>
      {isOpen && <FailureList workspace={workspace} status={status} />}
    </details>
  );
}

function FailureList({ workspace, status }: WorkspaceProps & { status: RagRootStatus }) {
  const { rootIndex, lastIndexedAt } = status;
  const list = useLoad(`${workspace.uuid} ${rootIndex} ${lastIndexedAt}`, (signal) =>
    engine.retrieval.listIndexingFailures(workspace.uuid, { rootIndex }, { signal }),
  );
  if (list.error) return <Failure error={list.error} onRetry={list.reload} />;
  if (!list.value) return <Progress label="Loading the failures" />;
  return (
    <Scrollable label="What could not be read" class="failures">
      <table>
        <thead>
          <tr>
            <th scope="col">File or folder</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {list.value.map(({ path, reason }) => (
            <tr key={path}>
              <td class="wrap">
                <bdi>{path}</bdi>
              </td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
