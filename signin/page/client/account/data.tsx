import type { Me } from "../../../accounts/wire.ts";
import { passwordField } from "../fields.tsx";
import { Form } from "../form.tsx";
import { saveFile } from "../save-file.ts";
import { call, endSession } from "../session.ts";
import { leave, whileSignedIn } from "../state.ts";
import { hasMail, texts } from "../words.ts";
import type { Account } from "./account-data.ts";
import { CodeStep } from "./code-step.tsx";
import { Row, Section } from "./row.tsx";

/** The export of what is stored, and the end of the account. */
export function DataSection({ me }: Account) {
  const form = <DeleteForm {...me} />;
  return (
    <Section id="data" title={texts.data} lead={texts.dataLead}>
      <Row
        mark="download"
        title={texts.export}
        notes={[texts.exportNote]}
        buttons={[{ text: texts.download, name: texts.export, run: () => whileSignedIn(download) }]}
      />
      <Row
        mark="trash"
        title={texts.deleteAccount}
        notes={[texts.deleteNote]}
        buttons={[{ text: texts.delete, name: texts.deleteAccount, class: "danger", form }]}
      />
    </Section>
  );
}

async function download(): Promise<void> {
  const data = await call<unknown>("GET", "/auth/me/export");
  saveFile("account.json", JSON.stringify(data, null, 2), "application/json");
}

/** The password, or a mailed code; on a server without mail, a sign-in of the last minutes is enough. */
function DeleteForm({ email, has_password }: Me) {
  const remove = async (values: Record<string, string>) => {
    await call("DELETE", "/auth/me", values);
    await endSession();
    await leave(texts.deleted);
  };
  const form = {
    submit: texts.deleteAccount,
    look: "filled danger-fill",
    run: (values: Record<string, string>) => whileSignedIn(() => remove(values)),
  } as const;
  if (hasMail && !has_password) {
    const send = () => call("POST", "/auth/me/delete/code");
    return <CodeStep {...form} email={email} send={send} />;
  }
  return <Form {...form} fields={has_password ? [passwordField(texts.password)] : []} />;
}
