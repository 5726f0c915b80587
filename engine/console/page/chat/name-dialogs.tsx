import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ActionButton } from "../ui/action-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import { Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";

interface NameDialogProps {
  title: string;
  name: string;
  /** What the button says. */
  verb: string;
  onClose: () => void;
  onSubmit: (name: string) => Promise<unknown>;
}

/** Asks for a name. It stays open, with the reason, if the name is refused. */
export function NameDialog({ title, name, verb, onClose, onSubmit }: NameDialogProps) {
  const typed = useSignal(name);
  const action = useAction(() => onSubmit(typed.value.trim()).then(onClose));
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} verb={verb} isIncomplete={typed.value.trim() === ""}>
        <label class="field">
          <span>Name</span>
          <input
            value={typed.value}
            autofocus
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
          />
        </label>
      </Form>
    </Dialog>
  );
}

interface NameButtonsProps {
  /** What has the name: `thread`. */
  noun: string;
  name: string;
  /** What its deletion takes with it, as a sentence. */
  loss: string;
  onRename: (name: string) => Promise<unknown>;
  onDelete: () => Promise<unknown>;
}

/** Renames and deletes something; both ask first. */
export function NameButtons({ noun, name, loss, onRename, onDelete }: NameButtonsProps) {
  const [dialog, setDialog] = useState<"rename" | "delete">();
  const close = () => setDialog(undefined);
  return (
    <>
      <button type="button" class="quiet small" onClick={() => setDialog("rename")}>
        Rename
      </button>
      <button type="button" class="quiet small danger" onClick={() => setDialog("delete")}>
        Delete
      </button>
      {dialog === "rename" && (
        <NameDialog
          title={`Rename the ${noun}`}
          name={name}
          verb="Rename"
          onClose={close}
          onSubmit={onRename}
        />
      )}
      {dialog === "delete" && (
        <DeleteDialog
          title={`Delete the ${noun}?`}
          text={loss}
          onClose={close}
          onDelete={onDelete}
        />
      )}
    </>
  );
}

interface DeleteDialogProps {
  title: string;
  /** What is lost. */
  text: string;
  onClose: () => void;
  onDelete: () => Promise<unknown>;
}

function DeleteDialog({ title, text, onClose, onDelete }: DeleteDialogProps) {
  const action = useAction(() => onDelete().then(onClose));
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="wrap">{text}</p>
      {action.error && <Failure error={action.error} />}
      <div class="row">
        <ActionButton action={action} class="danger">
          Delete
        </ActionButton>
        <button type="button" onClick={onClose}>
          Keep
        </button>
      </div>
    </Dialog>
  );
}
