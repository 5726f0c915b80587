import { useState } from "preact/hooks";
import { useAction } from "../ui/action.tsx";
import { Form, TextField } from "../ui/form.tsx";
import { createWorkspace } from "../workspaces.ts";

/** The first page of an empty engine: the form of the first workspace. */
export function Welcome() {
  const [name, setName] = useState("First steps");
  const create = useAction(() => createWorkspace(name));
  return (
    <div class="home stack">
      <h1>Welcome to Roundhouse</h1>
      <p>
        Ask questions about your files, with any model. A workspace holds the folders and chats for
        one subject. You can have many.
      </p>
      <div class="card">
        <Form action={create} verb="Create workspace" isIncomplete={name.trim() === ""}>
          <TextField label="Workspace name" value={name} onInput={setName} />
        </Form>
      </div>
    </div>
  );
}
