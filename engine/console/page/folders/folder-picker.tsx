import { useState } from "preact/hooks";
import { engine } from "../session.ts";
import { Button, useAction } from "../ui/action.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Form, TextField } from "../ui/form.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loading, useLoad } from "../ui/load.tsx";

interface PickerProps {
  /** Takes the absolute path of a folder. */
  onAdd: (path: string) => Promise<void>;
  onClose: () => void;
}

/** Walks the folders of this machine, from the home folder on; a path can be typed, too. */
export function FolderPicker({ onAdd, onClose }: PickerProps) {
  const [path, setPath] = useState("~");
  const [typed, setTyped] = useState<string>();
  const found = useLoad(path, (signal) => engine.files.listLocalFolders({ path }, { signal }));
  const above = found.value?.parent ? [{ name: "Folder above", path: found.value.parent }] : [];
  const shown = typed ?? found.value?.path ?? "";
  const add = useAction(async () => {
    // What was typed may begin with `~`; the engine gives its absolute path.
    const { path: absolute } = await engine.files.listLocalFolders({ path: shown });
    await onAdd(absolute);
  });
  const walk = (next: string) => {
    setTyped(undefined);
    setPath(next);
  };
  return (
    <Dialog title="Add a folder" onClose={onClose}>
      <Form
        action={add}
        verb="Add this folder"
        isIncomplete={shown.trim() === ""}
        onLeave={onClose}
      >
        <TextField label="Folder" value={shown} onInput={setTyped} placeholder="~/Documents" />
        <Loading of={found} label="Loading folders" />
        {found.value && (
          <ul class="list picker">
            {[...above, ...found.value.folders].map((folder) => (
              <li key={folder.path}>
                <Button class="item" onClick={() => walk(folder.path)}>
                  <Icon name="folder" /> <bdi class="grow cut">{folder.name}</bdi>
                </Button>
              </li>
            ))}
            {found.value.folders.length === 0 && <li class="muted">There are no folders here.</li>}
          </ul>
        )}
      </Form>
    </Dialog>
  );
}
