import type { Me } from "../../../accounts/wire.ts";
import type { App } from "../app.ts";
import { h, icon } from "../dom.ts";
import { passwordField } from "../fields.ts";
import { newPasswordField } from "../new-password.ts";
import { hasMail, texts } from "../words.ts";
import { codeStep } from "./code-step.ts";
import { openedForm } from "./opened-form.ts";
import { change, opener, row } from "./row.ts";

/** The password: changed with the old one or a mailed code, or set with a code. */
export function passwordRow(app: App, me: Me): HTMLElement {
  const { has_password: isSet } = me;
  const make = (close: () => void) => {
    const place = h("div", { class: "step" });
    const useCode = () => place.replaceChildren(codeForm(app, me, close));
    if (isSet) place.append(oldPasswordForm(app, { close, useCode }));
    else useCode();
    return place;
  };
  const text = isSet ? texts.changePassword : texts.addPassword;
  return row({
    mark: icon("password"),
    title: texts.password,
    notes: [isSet ? texts.passwordStays : texts.notSet],
    actions: isSet || hasMail ? [opener(text, { make })] : [],
  });
}

function oldPasswordForm(
  app: App,
  { close, useCode }: { close(): void; useCode(): void },
): HTMLElement {
  const old = passwordField(texts.currentPassword, {
    name: "current_password",
    autocomplete: "current-password",
    ...(hasMail
      ? { aside: h("button", { type: "button", class: "link", onclick: useCode }, texts.forgot) }
      : {}),
  });
  return openedForm(close, {
    fields: [old, newPasswordField("new_password")],
    submit: texts.save,
    run: (values) => save(app, values),
  });
}

function codeForm(app: App, { email }: Me, close: () => void): HTMLElement {
  return codeStep(app, {
    email,
    close,
    send: () => app.session.call("POST", "/auth/password/code"),
    fields: [newPasswordField("new_password")],
    submit: texts.save,
    run: (values) => save(app, values),
  });
}

function save(app: App, values: Record<string, string>): Promise<void> {
  return change(app, () => app.session.call("POST", "/auth/password", values), texts.passwordSaved);
}
