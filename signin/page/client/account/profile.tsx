import { useState } from "preact/hooks";
import type { Me } from "../../../accounts/wire.ts";
import { emailField, nameField } from "../fields.tsx";
import { Form } from "../form.tsx";
import { call } from "../session.ts";
import { change, whileSignedIn } from "../state.ts";
import { hasMail, texts } from "../words.ts";
import type { Account } from "./account-data.ts";
import { EnterCode } from "./code-step.tsx";
import { Row, Section } from "./row.tsx";

/** Name and address. */
export function ProfileSection({ me }: Account) {
  const avatar = (
    <span class="avatar" aria-hidden="true">
      {[...(me.display_name ?? me.email)][0]?.toUpperCase()}
    </span>
  );
  return (
    <Section id="profile" title={texts.profile} lead={texts.profileLead}>
      <Row
        mark={avatar}
        title={me.display_name ?? texts.noName}
        buttons={[{ text: texts.change, name: texts.changeName, form: <NameForm {...me} /> }]}
      />
      <Row
        mark="mail"
        title={me.email}
        buttons={[hasMail && { text: texts.change, name: texts.changeEmail, form: <EmailForm /> }]}
      />
    </Section>
  );
}

function NameForm({ display_name }: Me) {
  return (
    <Form
      fields={[nameField(display_name ?? "")]}
      submit={texts.save}
      run={({ display_name: name }) =>
        change(texts.nameSaved, "PATCH", "/auth/me", { display_name: name ?? null })
      }
    />
  );
}

/** The new address, then the code that was mailed to it. */
function EmailForm() {
  const [email, setEmail] = useState("");
  const send = (email: string) => call("POST", "/auth/email/code", { email });
  const ask = async (email: string) => {
    await send(email);
    setEmail(email);
  };
  return email === "" ? (
    <Form
      fields={[emailField("email", { label: texts.newEmail })]}
      submit={texts.sendCode}
      run={({ email = "" }) => whileSignedIn(() => ask(email))}
    />
  ) : (
    <EnterCode
      email={email}
      send={() => send(email)}
      submit={texts.changeEmail}
      run={({ code }) => change(texts.emailSaved, "POST", "/auth/email/complete", { email, code })}
    />
  );
}
