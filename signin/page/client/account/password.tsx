import { useState } from "preact/hooks";
import type { Me } from "../../../accounts/wire.ts";
import { passwordField } from "../fields.tsx";
import { Form } from "../form.tsx";
import { newPasswordField } from "../new-password.tsx";
import { call } from "../session.ts";
import { change } from "../state.ts";
import { hasMail, texts } from "../words.ts";
import { CodeStep } from "./code-step.tsx";
import { Row } from "./row.tsx";

/** The password: changed with the old one or a mailed code, or set with a code. */
export function PasswordRow(me: Me) {
  const isSet = me.has_password;
  const text = isSet ? texts.changePassword : texts.addPassword;
  return (
    <Row
      mark="password"
      title={texts.password}
      notes={[isSet ? texts.passwordStays : texts.notSet]}
      buttons={[(isSet || hasMail) && { text, form: <PasswordForm {...me} /> }]}
    />
  );
}

function PasswordForm({ email, has_password }: Me) {
  const [usesCode, setUsesCode] = useState(!has_password);
  const next = newPasswordField("new_password");
  const form = {
    submit: texts.save,
    run: (values: object) => change(texts.passwordSaved, "POST", "/auth/password", values),
  };
  if (usesCode) {
    const send = () => call("POST", "/auth/password/code");
    return <CodeStep {...form} email={email} send={send} fields={[next]} />;
  }
  const aside = hasMail && (
    <button type="button" class="link" onClick={() => setUsesCode(true)}>
      {texts.forgot}
    </button>
  );
  const current = passwordField(texts.currentPassword, { name: "current_password", aside });
  return <Form {...form} fields={[current, next]} />;
}
