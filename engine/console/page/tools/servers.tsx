import { useState } from "preact/hooks";
import type { McpServerTools, ToolConfiguration, Workspace } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { formatNumber } from "../ui/format.ts";
import { Failure, Progress, useLoad } from "../ui/load.tsx";
import { Switch } from "../ui/switch.tsx";
import { TestedCard } from "../ui/tested-card.tsx";
import { changeWorkspace, useWorkspace } from "../workspaces.ts";
import { ServerForm } from "./server-form.tsx";
import { isServerOn, withToggle } from "./tool-switches.ts";

/** The MCP servers, each with its switches in a workspace. */
export function Servers() {
  const workspace = useWorkspace();
  const records = useLoad("servers", (signal) => engine.tools.list({ signal }), /^tool\./);
  const offered = useLoad(
    "offered",
    (signal) => engine.mcp.listTools(workspace.uuid, { signal }),
    /^tool\.|^workspace\.updated$/,
  );
  const [isAdding, setAdding] = useState(false);
  const servers = records.value?.filter(({ toolType }) => toolType === "mcp");
  return (
    <section aria-labelledby="servers">
      <div class="row spread">
        <h2 id="servers">MCP servers</h2>
        <Button onClick={() => setAdding(true)}>Connect a server</Button>
      </div>
      {isAdding && <ServerForm onDone={() => setAdding(false)} />}
      {records.error && <Failure error={records.error} onRetry={records.reload} />}
      {offered.error && <Failure error={offered.error} onRetry={offered.reload} />}
      {!servers && !records.error && <Progress label="Loading servers" />}
      {servers?.length === 0 && !isAdding && (
        <p class="muted">None yet. MCP servers add tools. Connect one by its HTTP address.</p>
      )}
      {servers?.map((record) => (
        <ServerCard
          key={record.uuid}
          record={record}
          offered={offered.value?.find(({ toolUuid }) => toolUuid === record.uuid)}
        />
      ))}
    </section>
  );
}

interface ServerProps {
  record: ToolConfiguration;
  /** What the workspace gets of it; undefined until that is known. */
  offered: McpServerTools | undefined;
}

/** An MCP server: whether the workspace uses it, what it offers, and a test. */
function ServerCard({ record, offered }: ServerProps) {
  const workspace = useWorkspace();
  const { uuid } = record;
  const isOn = isServerOn(workspace.toolsConfig, uuid);
  const tools = offered?.tools ?? [];
  return (
    <TestedCard
      name={record.alias ?? record.name}
      badge={
        <Switch isOn={isOn} onTurn={() => turn(workspace, !isOn, uuid)}>
          Use in this workspace
        </Switch>
      }
      noun="server"
      onTest={() => engine.mcp.testServer(uuid)}
      toFacts={(test) =>
        `${test.serverName} ${test.serverVersion}, ${formatNumber(test.tools.length)} tools`
      }
      onDelete={() => engine.tools.delete(uuid)}
      loss="This deletes its headers. Past tool calls stay in your chats."
      form={(close) => <ServerForm record={record} onDone={close} />}
    >
      <p class="muted wrap">
        {record.endpointUrl}
        {record.hasAuthConfig && " · headers stored"}
        {record.status !== "active" && ` · ${record.status}`}
      </p>
      {offered?.problem && <p class="failure wrap">{offered.problem}</p>}
      {tools.length > 0 && (
        <details>
          <summary>{tools.length === 1 ? "1 tool" : `${formatNumber(tools.length)} tools`}</summary>
          <ul class="list">
            {tools.map(({ name, serverName, description, enabled }) => (
              <li key={serverName} class="stacked wrap">
                <Switch
                  isOn={enabled}
                  label={name}
                  onTurn={() => turn(workspace, !enabled, uuid, serverName)}
                >
                  <code>{serverName}</code>
                </Switch>
                <span class="muted small">{description}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </TestedCard>
  );
}

function turn({ uuid }: Workspace, isOn: boolean, toolUuid: string, tool?: string) {
  return changeWorkspace(uuid, ({ toolsConfig }) => ({
    toolsConfig: withToggle(toolsConfig, "mcp", toolUuid, isOn, tool),
  }));
}
