import { useState } from "preact/hooks";
import { engine } from "../session.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useChanges } from "../ui/use-changes.ts";
import { useLoad } from "../ui/use-load.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { ServerCard } from "./server-card.tsx";
import { ServerForm } from "./server-form.tsx";

/** The MCP servers, each with its switches in a workspace. */
export function Servers({ workspace }: WorkspaceProps) {
  const { uuid } = workspace;
  const records = useLoad("servers", (signal) => engine.tools.list({ signal }));
  const offered = useLoad(uuid, (signal) => engine.mcp.listTools(uuid, { signal }));
  const [isAdding, setAdding] = useState(false);
  useChanges(({ type }) => {
    const isOfRecords = type.startsWith("tool.") || type === "resync";
    if (isOfRecords) records.reload();
    if (isOfRecords || type === "workspace.updated") offered.reload();
  });
  if (records.error) return <Failure error={records.error} onRetry={records.reload} />;
  if (!records.value) return <Progress label="Loading the servers" />;
  const servers = records.value.filter(({ toolType }) => toolType === "mcp");
  return (
    <>
      <div class="row spread heading">
        <p class="muted grow">
          Servers of the Model Context Protocol. A workspace uses those that it switches on.
        </p>
        <button
          type="button"
          class="primary"
          aria-expanded={isAdding}
          onClick={() => setAdding(true)}
        >
          Add a server
        </button>
      </div>
      {isAdding && <ServerForm onDone={() => setAdding(false)} />}
      {offered.error && <Failure error={offered.error} onRetry={offered.reload} />}
      {servers.length === 0 && !isAdding && (
        <Empty title="There is no MCP server yet">
          <p>Add one by its address: its tools can then be switched on for a workspace.</p>
        </Empty>
      )}
      {servers.map((record) => (
        <ServerCard
          key={record.uuid}
          workspace={workspace}
          record={record}
          offered={offered.value?.find(({ toolUuid }) => toolUuid === record.uuid)}
        />
      ))}
    </>
  );
}
