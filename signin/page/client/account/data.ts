import type { Me } from "../../../accounts/wire.ts";
import type { App } from "../app.ts";
import { h, icon } from "../dom.ts";
import { passwordField } from "../fields.ts";
import { hasMail, texts } from "../words.ts";
import { codeStep } from "./code-step.ts";
import { openedForm } from "./opened-form.ts";
import { action, opener, row, section, whileSignedIn } from "./row.ts";
import type { Account } from "./wire.ts";

/** The export of what is stored, and the end of the account. */
export function dataSection(app: App, { me }: Account): HTMLElement {
  return section("data", {
    title: texts.data,
    lead: texts.dataLead,
    rows: [
      row({
        mark: icon("download"),
        title: texts.export,
        notes: [texts.exportNote],
        actions: [action(texts.download, { label: texts.export, run: () => download(app) })],
      }),
      row({
        mark: icon("trash"),
        title: texts.deleteAccount,
        notes: [texts.deleteNote],
        actions: [
          opener(texts.delete, {
            label: texts.deleteAccount,
            className: "danger",
            make: (close) => deleteForm(app, me, close),
          }),
        ],
      }),
    ],
  });
}

function download(app: App): Promise<void> {
  return whileSignedIn(app, async () => {
    const data = await app.session.call<unknown>("GET", "/auth/me/export");
    const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
    const url = URL.createObjectURL(file);
    h("a", { href: url, download: "account.json" }).click();
    URL.revokeObjectURL(url);
    app.notify(texts.exported);
  });
}

/** The password, or a mailed code; on a server without mail, a sign-in of the last minutes is enough. */
function deleteForm(app: App, { email, has_password }: Me, close: () => void): HTMLElement {
  const run = (values: Record<string, string>) =>
    whileSignedIn(app, async () => {
      await app.session.call("DELETE", "/auth/me", values);
      await app.session.end();
      await app.leave(texts.deleted);
    });
  if (hasMail && !has_password) {
    const send = () => app.session.call("POST", "/auth/me/delete/code");
    return codeStep(app, {
      email,
      close,
      send,
      submit: texts.deleteAccount,
      look: "filled danger-fill",
      run,
    });
  }
  return openedForm(close, {
    fields: has_password
      ? [passwordField(texts.password, { autocomplete: "current-password" })]
      : [],
    submit: texts.deleteAccount,
    look: "filled danger-fill",
    run,
  });
}
