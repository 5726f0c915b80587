import type { BuiltinTool, ToolConfiguration } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { Failure, Progress } from "../ui/states.tsx";
import { Switch } from "../ui/switch.tsx";
import { useLoad } from "../ui/use-load.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { isBuiltinOn, withBuiltin } from "./tool-switches.ts";

/** The built-in tools with the switches of a workspace. */
export function Catalog({ workspace }: WorkspaceProps) {
  const catalog = useLoad("catalog", (signal) => engine.tools.getCatalog({ signal }));
  if (catalog.error) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  if (!catalog.value) return <Progress label="Loading the tools" />;
  const { builtin, configured } = catalog.value;
  const { toolsConfig } = workspace;
  const isMalformed = toolsConfig !== null && "malformed" in Object(toolsConfig);
  return (
    <>
      {isMalformed && (
        <p class="failure">The stored configuration of tools is no JSON; a switch replaces it.</p>
      )}
      <p>
        <ToolSwitch workspace={workspace} label="Built-in tools may be used" />
      </p>
      {Object.entries(builtin).map(([group, tools]) => (
        <Group key={group} workspace={workspace} group={group} tools={tools} />
      ))}
      <Records records={configured.filter(({ toolType }) => toolType !== "mcp")} />
    </>
  );
}

function Group({
  workspace,
  group,
  tools,
}: WorkspaceProps & { group: string; tools: readonly BuiltinTool[] }) {
  return (
    <section class="card" aria-label={group}>
      <h2>
        <ToolSwitch workspace={workspace} label={group} group={group} />
      </h2>
      <ul class="tools">
        {tools.map(({ name, doc, operation }) => (
          <li key={name}>
            <ToolSwitch
              workspace={workspace}
              label={name}
              group={group}
              tool={name}
              isHeld={!isBuiltinOn(workspace.toolsConfig, group)}
            />
            <span class="badge">{operation}</span>
            <span class="muted small">{doc}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ToolSwitch({
  workspace,
  label,
  group,
  tool,
  isHeld = false,
}: WorkspaceProps & {
  label: string;
  group?: string;
  tool?: string;
  /** Whether its group is off, so that it decides nothing. */
  isHeld?: boolean;
}) {
  const { uuid, toolsConfig } = workspace;
  const isOn = isBuiltinOn(toolsConfig, group, tool);
  const isOff = group !== undefined && !isBuiltinOn(toolsConfig);
  return (
    <Switch
      isOn={isOn}
      isHeld={isHeld || isOff}
      onTurn={() =>
        changeWorkspace(uuid, (current) => ({
          toolsConfig: withBuiltin(current.toolsConfig, !isOn, group, tool),
        }))
      }
    >
      {tool === undefined ? label : <code>{label}</code>}
    </Switch>
  );
}

function Records({ records }: { records: readonly ToolConfiguration[] }) {
  if (records.length === 0) return null;
  return (
    <section class="card" aria-labelledby="records">
      <h2 id="records">Records of clients</h2>
      <p class="muted">
        Scripts and interfaces that clients registered; the engine does not run them.
      </p>
      <ul>
        {records.map(({ uuid, name, alias, toolType }) => (
          <li key={uuid} class="wrap">
            <bdi>{alias ?? name}</bdi> <span class="badge">{toolType}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
