import type { Me } from "../../../accounts/wire.ts";
import type { App } from "../app.ts";
import { h, icon } from "../dom.ts";
import { emailField, field } from "../fields.ts";
import { hasMail, texts } from "../words.ts";
import { enterCode } from "./code-step.ts";
import { openedForm } from "./opened-form.ts";
import { change, opener, row, section, whileSignedIn } from "./row.ts";
import type { Account } from "./wire.ts";

/** Name and address. */
export function profileSection(app: App, { me }: Account): HTMLElement {
  const initial = [...(me.display_name ?? me.email)][0]?.toUpperCase() ?? "";
  return section("profile", {
    title: texts.profile,
    lead: texts.profileLead,
    rows: [
      row({
        mark: h("span", { class: "avatar", "aria-hidden": "true" }, initial),
        title: me.display_name ?? texts.noName,
        actions: [
          opener(texts.change, {
            label: texts.changeName,
            make: (close) => nameForm(app, me, close),
          }),
        ],
      }),
      row({
        mark: icon("mail"),
        title: me.email,
        actions: hasMail
          ? [
              opener(texts.change, {
                label: texts.changeEmail,
                make: (close) => emailForm(app, close),
              }),
            ]
          : [],
      }),
    ],
  });
}

function nameForm(app: App, { display_name }: Me, close: () => void): HTMLElement {
  const attributes = { value: display_name ?? "", autocomplete: "name", maxlength: 100 };
  return openedForm(close, {
    fields: [field({ name: "display_name", label: texts.nameOptional, attributes })],
    submit: texts.save,
    run: ({ display_name: name = null }: { display_name?: string | null }) =>
      change(
        app,
        () => app.session.call("PATCH", "/auth/me", { display_name: name }),
        texts.nameSaved,
      ),
  });
}

/** The new address, then the code that was mailed to it. */
function emailForm(app: App, close: () => void): HTMLElement {
  const place = h("div", { class: "step" });
  const send = (email: string) => app.session.call("POST", "/auth/email/code", { email });
  const complete = (email: string, code: string) =>
    change(
      app,
      () => app.session.call("POST", "/auth/email/complete", { email, code }),
      texts.emailSaved,
    );
  place.append(
    openedForm(close, {
      fields: [emailField("email", { label: texts.newEmail })],
      submit: texts.sendCode,
      run: ({ email = "" }) =>
        whileSignedIn(app, async () => {
          await send(email);
          enterCode(place, {
            email,
            close,
            send: () => send(email),
            submit: texts.changeEmail,
            run: ({ code = "" }) => complete(email, code),
          });
        }),
    }),
  );
  return place;
}
