import { type ApprovalPolicy, approvalPolicyOf } from "../../../policies/operations.ts";
import { Switch } from "../ui/switch.tsx";
import { changeWorkspace, useWorkspace } from "../workspaces.ts";

const OPERATIONS: readonly (readonly [name: keyof ApprovalPolicy, title: string, about: string])[] =
  [
    ["read", "Reading", "Searching your folders, reading files, looking things up"],
    ["create", "Creating", "New files, notes and tasks"],
    ["update", "Changing", "Replacing and moving files, and all MCP tools"],
    ["delete", "Deleting", "Files, notes and tasks"],
  ];

/** Which kinds of tools ask first in a workspace. A choice writes all four, so that older keys decide nothing any more. */
export function Rules() {
  const workspace = useWorkspace();
  const asks = approvalPolicyOf(workspace.approvalConfig);
  return (
    <section class="card" aria-labelledby="rules">
      <h2 id="rules">What asks first in {workspace.name}</h2>
      <ul class="list divided">
        {OPERATIONS.map(([name, title, about]) => (
          <li key={name} class="row spread">
            <span class="stacked">
              <strong>{title}</strong> <span class="muted small">{about}</span>
            </span>
            <Switch
              isOn={asks[name]}
              label={`${title} asks first`}
              onTurn={() =>
                changeWorkspace(workspace.uuid, ({ approvalConfig }) => {
                  const now = approvalPolicyOf(approvalConfig);
                  return { approvalConfig: { ...now, [name]: !asks[name] } };
                })
              }
            >
              Ask first
            </Switch>
          </li>
        ))}
      </ul>
      <p class="muted small">
        Files with secrets and the engine's own data always ask. A chat can have its own rules.
      </p>
    </section>
  );
}
