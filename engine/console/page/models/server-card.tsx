import { useState } from "preact/hooks";
import type { McpServerTools, McpTest, ToolConfiguration } from "../../../client/client.ts";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { formatNumber } from "../ui/format.ts";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { ServerForm } from "./server-form.tsx";
import { isServerOn, withServer } from "./tool-switches.ts";

interface ServerProps extends WorkspaceProps {
  record: ToolConfiguration;
  /** What the workspace gets of it; undefined until that is known. */
  offered: McpServerTools | undefined;
}

/** An MCP server: whether the workspace uses it, what it offers, and a test. */
export function ServerCard({ engine, workspace, record, offered }: ServerProps) {
  const { uuid } = record;
  const [isEditing, setEditing] = useState(false);
  const [tested, setTested] = useState<McpTest>();
  const isOn = isServerOn(workspace.toolsConfig, uuid);
  const turn = useAction(() =>
    changeWorkspace(engine, workspace.uuid, ({ toolsConfig }) => ({
      toolsConfig: withServer(toolsConfig, !isOn, uuid),
    })),
  );
  const test = useAction(async () => {
    setTested(undefined);
    setTested(await engine.mcp.testServer(uuid));
  });
  const remove = useAction(() => engine.tools.delete(uuid));
  const error = turn.error ?? test.error ?? remove.error;
  const name = record.alias ?? record.name;
  return (
    <article class="card" aria-label={name}>
      <div class="row spread heading">
        <h2 class="wrap">
          <bdi>{name}</bdi>
        </h2>
        <StateBadge offered={offered} />
      </div>
      <p class="muted wrap">
        {record.endpointUrl}
        {record.hasAuthConfig && " · headers stored"}
        {record.status !== "active" && ` · ${record.status}`}
      </p>
      {offered?.problem && <p class="failure wrap">{offered.problem}</p>}
      <p>
        <label class="switch">
          <input type="checkbox" checked={isOn} disabled={turn.isBusy} onChange={turn.run} /> Used
          in this workspace
        </label>
      </p>
      {offered && offered.tools.length > 0 && (
        <ServerTools engine={engine} workspace={workspace} record={record} offered={offered} />
      )}
      {test.isBusy && <Progress label="Testing the server" />}
      {tested && <Outcome test={tested} />}
      {error && <Failure error={error} />}
      <div class="row">
        <button type="button" disabled={test.isBusy} onClick={test.run}>
          Test
        </button>
        <button type="button" onClick={() => setEditing(true)}>
          Edit
        </button>
        <ConfirmButton
          label="Delete"
          question="Delete this server with its headers?"
          disabled={remove.isBusy}
          onConfirm={remove.run}
        />
      </div>
      {isEditing && <ServerForm engine={engine} record={record} onDone={() => setEditing(false)} />}
    </article>
  );
}

function StateBadge({ offered }: { offered: McpServerTools | undefined }) {
  if (!offered) return <span class="badge">asking…</span>;
  const kind = { ready: "good", off: "", failed: "bad" }[offered.state];
  return <span class={`badge ${kind}`}>{offered.state}</span>;
}

function ServerTools({ engine, workspace, record, offered }: ServerProps) {
  return (
    <details>
      <summary>{formatNumber(offered?.tools.length ?? 0)} tools</summary>
      <ul class="tools">
        {offered?.tools.map(({ name, serverName, description, enabled }) => (
          <li key={serverName}>
            <ToolSwitch
              engine={engine}
              workspace={workspace}
              toolUuid={record.uuid}
              serverName={serverName}
              name={name}
              isOn={enabled}
            />
            <span class="badge">update</span>
            <span class="muted small wrap">{description}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ToolSwitch({
  engine,
  workspace,
  toolUuid,
  serverName,
  name,
  isOn,
}: WorkspaceProps & { toolUuid: string; serverName: string; name: string; isOn: boolean }) {
  const change = useAction(() =>
    changeWorkspace(engine, workspace.uuid, ({ toolsConfig }) => ({
      toolsConfig: withServer(toolsConfig, !isOn, toolUuid, serverName),
    })),
  );
  return (
    <>
      <label class="switch">
        <input type="checkbox" checked={isOn} disabled={change.isBusy} onChange={change.run} />
        <code class="wrap">{name}</code>
      </label>
      {change.error && <Failure error={change.error} />}
    </>
  );
}

function Outcome({ test }: { test: McpTest }) {
  if (!test.ok) {
    return (
      <p class="failure wrap" role="alert">
        {test.error}
      </p>
    );
  }
  return (
    <p role="status" class="wrap">
      <span class="badge good">answers</span> {test.serverName} {test.serverVersion},{" "}
      {formatNumber(test.tools.length)} tools
    </p>
  );
}
