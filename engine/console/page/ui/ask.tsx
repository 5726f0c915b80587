import { signal, useSignal } from "@preact/signals";
import { Button, useAction } from "./action.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, TextField } from "./form.tsx";

/** What a person is asked before something is done. */
interface Question {
  title: string;
  /** What is lost, or what it means. */
  text?: string;
  /** A text to give; its label and what it is now. */
  field?: { label: string; value: string };
  /** What the button says. */
  verb: string;
  /** Whether something is lost. */
  isDanger?: boolean;
  /** Does it; the question stays open, with the reason, if it fails. */
  run: (text: string) => Promise<unknown>;
}

const question = signal<Question | undefined>(undefined);

/** Asks in a dialog, and does it if the answer is yes. */
export function ask(asked: Question): void {
  question.value = asked;
}

/** A button for what cannot be taken back: it asks first. */
export function LossButton(
  props: Omit<Question, "field" | "isDanger"> & { class?: string; label?: string },
) {
  const { class: name = "danger", label, ...asked } = props;
  return (
    <Button class={name} aria-label={label} onClick={() => ask({ ...asked, isDanger: true })}>
      {asked.verb}
    </Button>
  );
}

/** The one place of questions. */
export function Questions() {
  return question.value ? <QuestionDialog {...question.value} /> : null;
}

function QuestionDialog({ title, text, field, verb, isDanger = false, run }: Question) {
  const typed = useSignal(field?.value ?? "");
  const close = () => {
    question.value = undefined;
  };
  const action = useAction(() => run(typed.value.trim()).then(close));
  return (
    <Dialog title={title} onClose={close}>
      <Form
        action={action}
        verb={verb}
        isDanger={isDanger}
        isIncomplete={field !== undefined && typed.value.trim() === ""}
        onLeave={close}
      >
        {text && <p class="wrap">{text}</p>}
        {field && (
          <TextField
            label={field.label}
            value={typed.value}
            onInput={(value) => (typed.value = value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
