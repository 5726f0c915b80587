import type { McpServerTools, ToolConfiguration } from "../../../client/client.ts";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { formatNumber } from "../ui/format.ts";
import { Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { ServerForm } from "./server-form.tsx";
import { TestedCard } from "./tested-card.tsx";
import { isServerOn, withServer } from "./tool-switches.ts";

interface ServerProps extends WorkspaceProps {
  record: ToolConfiguration;
  /** What the workspace gets of it; undefined until that is known. */
  offered: McpServerTools | undefined;
}

/** An MCP server: whether the workspace uses it, what it offers, and a test. */
export function ServerCard({ engine, workspace, record, offered }: ServerProps) {
  const { uuid } = record;
  const isOn = isServerOn(workspace.toolsConfig, uuid);
  const turn = useAction(() =>
    changeWorkspace(engine, workspace.uuid, ({ toolsConfig }) => ({
      toolsConfig: withServer(toolsConfig, !isOn, uuid),
    })),
  );
  return (
    <TestedCard
      name={record.alias ?? record.name}
      heading="h2"
      badge={<StateBadge offered={offered} />}
      noun="server"
      onTest={() => engine.mcp.testServer(uuid)}
      toFacts={({ serverName, serverVersion, tools }) =>
        `${serverName} ${serverVersion}, ${formatNumber(tools.length)} tools`
      }
      onDelete={() => engine.tools.delete(uuid)}
      question="Delete this server with its headers?"
      forms={{ Edit: (close) => <ServerForm engine={engine} record={record} onDone={close} /> }}
    >
      <p class="muted wrap">
        {record.endpointUrl}
        {record.hasAuthConfig && " · headers stored"}
        {record.status !== "active" && ` · ${record.status}`}
      </p>
      {offered?.problem && <p class="failure wrap">{offered.problem}</p>}
      <p>
        <label class="switch">
          <input type="checkbox" checked={isOn} onChange={turn.run} /> Used in this workspace
        </label>
      </p>
      {turn.error && <Failure error={turn.error} />}
      {offered && offered.tools.length > 0 && (
        <ServerTools engine={engine} workspace={workspace} record={record} offered={offered} />
      )}
    </TestedCard>
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
        <input type="checkbox" checked={isOn} onChange={change.run} />
        <code class="wrap">{name}</code>
      </label>
      {change.error && <Failure error={change.error} />}
    </>
  );
}
