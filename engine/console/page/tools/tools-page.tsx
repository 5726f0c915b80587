import type { BuiltinTool } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { Loading, useLoad } from "../ui/load.tsx";
import { Switch } from "../ui/switch.tsx";
import { changeWorkspace, useWorkspace } from "../workspaces.ts";
import { Servers } from "./servers.tsx";
import { isBuiltinOn, withBuiltin } from "./tool-switches.ts";

/** What the groups of tools are for, in the words of people. */
const GROUPS: Readonly<Record<string, readonly [title: string, about: string]>> = {
  retrieval: ["Search your folders", "Finds passages by words and meaning"],
  workspace_files: ["Files of your folders", "Reads, creates and changes files in this workspace"],
  filesystem: ["All files of this computer", "Reads and changes files outside your folders, too"],
  note: ["Notes", "Stores notes for later"],
  todo: ["Tasks", "Keeps a to-do list"],
  memory: ["Memory", "Remembers facts for later chats in this workspace"],
  contact: ["Contacts", "Stores names and addresses"],
  time: ["Date and time", "Tells the current date and time"],
};

/** Tools: what a model may use in the workspace, built in and from MCP servers. */
export function ToolsPage() {
  const workspace = useWorkspace();
  const catalog = useLoad("catalog", (signal) => engine.tools.getCatalog({ signal }), /^tool\./);
  const { toolsConfig } = workspace;
  const isMalformed = toolsConfig !== null && "malformed" in Object(toolsConfig);
  const groups = Object.entries(catalog.value?.builtin ?? {});
  return (
    <>
      <h1>Tools</h1>
      <p class="muted">
        What a model may use in {workspace.name}. Approvals shows what asks first.
      </p>
      {isMalformed && (
        <p class="failure">
          The stored tool settings cannot be read. Changing a switch replaces them.
        </p>
      )}
      <Loading of={catalog} label="Loading tools" />
      {catalog.value && (
        <section class="card" aria-labelledby="builtin">
          <div class="row spread">
            <h2 id="builtin">Built in</h2>
            <ToolSwitch label="All built-in tools" />
          </div>
          <ul class="list divided">
            {groups.map(([group, tools]) => (
              <Group key={group} group={group} tools={tools} />
            ))}
          </ul>
        </section>
      )}
      <Servers />
    </>
  );
}

type GroupProps = { group: string; tools: readonly BuiltinTool[] };

function Group({ group, tools }: GroupProps) {
  const [title, about] = GROUPS[group] ?? [group, ""];
  return (
    <li class="row">
      <details class="grow">
        <summary>
          <strong>{title}</strong> <span class="small">{about}</span>
        </summary>
        <ul class="list">
          {tools.map(({ name, doc, operation }) => (
            <li key={name} class="stacked">
              <span class="row">
                <ToolSwitch label={name} group={group} tool={name} />
                <span class="badge">{operation}</span>
              </span>
              <span class="muted small">{doc}</span>
            </li>
          ))}
        </ul>
      </details>
      <ToolSwitch label={title} group={group} isBare />
    </li>
  );
}

function ToolSwitch(props: {
  label: string;
  group?: string;
  tool?: string;
  /** Whether its label stands elsewhere. */
  isBare?: boolean;
}) {
  const { label, group, tool, isBare = false } = props;
  const { uuid, toolsConfig } = useWorkspace();
  const isOn = isBuiltinOn(toolsConfig, group, tool);
  // What is off with all others decides nothing.
  const isAllOff = group !== undefined && !isBuiltinOn(toolsConfig);
  const isGroupOff = tool !== undefined && !isBuiltinOn(toolsConfig, group);
  return (
    <Switch
      isOn={isOn}
      isHeld={isAllOff || isGroupOff}
      label={label}
      onTurn={() =>
        changeWorkspace(uuid, (now) => ({
          toolsConfig: withBuiltin(now.toolsConfig, !isOn, group, tool),
        }))
      }
    >
      {!isBare && (tool === undefined ? label : <code>{label}</code>)}
    </Switch>
  );
}
