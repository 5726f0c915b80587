import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
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

/** Asks for a name. It stays open, with the reason, where the name is refused. */
export function NameDialog({ title, name, verb, onClose, onSubmit }: NameDialogProps) {
  const typed = useSignal(name);
  const { isBusy, error, run } = useAction(() => onSubmit(typed.value.trim()).then(onClose));
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
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
        {error && <Failure error={error} />}
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy || typed.value.trim() === ""}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface DeleteDialogProps {
  title: string;
  /** What is lost. */
  text: string;
  onClose: () => void;
  onDelete: () => Promise<unknown>;
}

/** Asks before something is deleted. */
export function DeleteDialog({ title, text, onClose, onDelete }: DeleteDialogProps) {
  const { isBusy, error, run } = useAction(() => onDelete().then(onClose));
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="wrap">{text}</p>
      {error && <Failure error={error} />}
      <div class="row">
        <button type="button" class="danger" disabled={isBusy} onClick={run}>
          Delete
        </button>
        <button type="button" onClick={onClose}>
          Keep
        </button>
      </div>
    </Dialog>
  );
}
