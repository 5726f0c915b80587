import { useState } from "preact/hooks";
import type { Workspace } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { NameButtons, NameDialog } from "./name-dialogs.tsx";

interface WorkspaceMenuProps {
  workspaces: readonly Workspace[];
  current: Workspace;
}

/** Chooses, creates, renames and deletes workspaces. */
export function WorkspaceMenu({ workspaces, current }: WorkspaceMenuProps) {
  const [isCreating, setCreating] = useState(false);
  return (
    <div class="workspace-menu">
      <select
        aria-label="Workspace"
        value={current.uuid}
        onChange={({ currentTarget }) => {
          location.hash = hrefOf("chat", currentTarget.value);
        }}
      >
        {workspaces.map(({ uuid, name }) => (
          <option key={uuid} value={uuid}>
            {name}
          </option>
        ))}
      </select>
      <div class="row">
        <button type="button" class="quiet small" onClick={() => setCreating(true)}>
          New
        </button>
        <NameButtons
          noun="workspace"
          name={current.name}
          loss={`“${current.name}”, its threads and their messages are deleted for good. Its folders and their files stay.`}
          onRename={(name) => changeWorkspace(current.uuid, () => ({ name }))}
          onDelete={async () => {
            await engine.workspaces.delete(current.uuid);
            location.hash = hrefOf("chat");
          }}
        />
      </div>
      {isCreating && <CreateWorkspace onClose={() => setCreating(false)} />}
    </div>
  );
}

/** Asks for the name of a new workspace, then shows it. */
function CreateWorkspace({ onClose }: { onClose: () => void }) {
  return (
    <NameDialog
      title="New workspace"
      name=""
      verb="Create"
      onClose={onClose}
      onSubmit={async (name) => {
        const { uuid } = await engine.workspaces.create({ name });
        location.hash = hrefOf("chat", uuid);
      }}
    />
  );
}
