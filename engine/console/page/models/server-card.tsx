import type { McpServerTools, ToolConfiguration, Workspace } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { formatNumber } from "../ui/format.ts";
import { Switch } from "../ui/switch.tsx";
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
export function ServerCard({ workspace, record, offered }: ServerProps) {
  const { uuid } = record;
  const isOn = isServerOn(workspace.toolsConfig, uuid);
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
      forms={{ Edit: (close) => <ServerForm record={record} onDone={close} /> }}
    >
      <p class="muted wrap">
        {record.endpointUrl}
        {record.hasAuthConfig && " · headers stored"}
        {record.status !== "active" && ` · ${record.status}`}
      </p>
      {offered?.problem && <p class="failure wrap">{offered.problem}</p>}
      <p>
        <Switch isOn={isOn} onTurn={() => turn(workspace, !isOn, uuid)}>
          Used in this workspace
        </Switch>
      </p>
      {offered && offered.tools.length > 0 && (
        <ServerTools workspace={workspace} record={record} offered={offered} />
      )}
    </TestedCard>
  );
}

function StateBadge({ offered }: { offered: McpServerTools | undefined }) {
  if (!offered) return <span class="badge">asking…</span>;
  const kind = { ready: "good", off: "", failed: "bad" }[offered.state];
  return <span class={`badge ${kind}`}>{offered.state}</span>;
}

function ServerTools({ workspace, record, offered }: ServerProps) {
  return (
    <details>
      <summary>{formatNumber(offered?.tools.length ?? 0)} tools</summary>
      <ul class="tools">
        {offered?.tools.map(({ name, serverName, description, enabled }) => (
          <li key={serverName}>
            <Switch
              isOn={enabled}
              onTurn={() => turn(workspace, !enabled, record.uuid, serverName)}
            >
              <code class="wrap">{name}</code>
            </Switch>
            <span class="badge">update</span>
            <span class="muted small wrap">{description}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function turn({ uuid }: Workspace, isOn: boolean, toolUuid: string, tool?: string) {
  return changeWorkspace(uuid, ({ toolsConfig }) => ({
    toolsConfig: withServer(toolsConfig, isOn, toolUuid, tool),
  }));
}
