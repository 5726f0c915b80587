import type { App } from "../app.ts";
import { h } from "../dom.ts";
import { codeField, type Field } from "../fields.ts";
import { resendButton } from "../resend.ts";
import { say, texts } from "../words.ts";
import { cancelButton, openedForm } from "./opened-form.ts";
import { action, whileSignedIn } from "./row.ts";

/** A change that a mailed code confirms. */
interface CodeStep {
  /** Mails the code. @throws Refusal */
  send(): Promise<unknown>;
  /** Where it goes. */
  email: string;
  /** What is sent beside the code. */
  fields?: readonly Field[];
  /** Whether another way stands above it. */
  isSecond?: boolean;
  submit: string;
  look?: "filled" | "filled danger-fill";
  run(values: Record<string, string>): Promise<void>;
  /** Without it, the place where the step stands has a button of its own. */
  close?: () => void;
}

/** A button that mails the code; then the form for it. */
export function codeStep(app: App, step: CodeStep): HTMLElement {
  const place = h("div", { class: "step" });
  const ask = action(say(texts.mailCode, { email: step.email }), {
    className: step.isSecond ? undefined : "filled",
    run: () =>
      whileSignedIn(app, async () => {
        await step.send();
        enterCode(place, step);
      }),
  });
  place.append(h("div", { class: "actions" }, ask, step.close && cancelButton(step.close)));
  return place;
}

/** The form for a code that is on its way. */
export function enterCode(place: HTMLElement, step: CodeStep): void {
  const { email, fields = [], submit, look = "filled", run, close } = step;
  const code = codeField();
  place.replaceChildren(
    h("p", {}, say(texts.sent, { email })),
    openedForm(close, { fields: [code, ...fields], submit, look, run }),
    resendButton(step.send),
  );
  code.input.focus();
}
