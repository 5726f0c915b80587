import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { WorkspaceInstructions } from "../../client/client.ts";
import { engine } from "./session.ts";
import { useAction } from "./ui/action.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { Form } from "./ui/form.tsx";
import { Loading, useLoad } from "./ui/load.tsx";
import { useWorkspace } from "./workspaces.ts";

/** Whether the instructions of the workspace are shown. */
export const showsInstructions = signal(false);

const close = () => {
  showsInstructions.value = false;
};

/** What each turn of the workspace is sent. */
export function Instructions() {
  const { uuid, name } = useWorkspace();
  const stored = useLoad(uuid, (signal) => engine.workspaces.getInstructions(uuid, { signal }));
  return (
    <Dialog title={`Instructions for ${name}`} onClose={close}>
      <Loading of={stored} label="Loading instructions" />
      {stored.value && <InstructionsForm uuid={uuid} stored={stored.value} />}
    </Dialog>
  );
}

function InstructionsForm({ uuid, stored }: { uuid: string; stored: WorkspaceInstructions }) {
  const [{ text, useAgentsFile }, setGiven] = useState(stored);
  const save = useAction(async () => {
    await engine.workspaces.updateInstructions(uuid, { text, useAgentsFile });
    close();
  });
  return (
    <Form action={save} verb="Save" onLeave={close}>
      <label class="field">
        <span class="muted small">What every answer here should know or follow</span>
        <textarea
          rows={8}
          placeholder="Answer in short sentences. We write dates as 3 May 2026."
          value={text}
          onInput={({ currentTarget }) => setGiven({ text: currentTarget.value, useAgentsFile })}
        />
      </label>
      <label class="switch">
        <input
          type="checkbox"
          checked={useAgentsFile}
          onChange={() => setGiven({ text, useAgentsFile: !useAgentsFile })}
        />
        Include the AGENTS.md file of each folder
      </label>
    </Form>
  );
}
