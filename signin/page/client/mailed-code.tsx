import { type ComponentChildren, Fragment } from "preact";
import { useState } from "preact/hooks";
import { useFactorStep } from "./factor-step.tsx";
import { codeField, emailField, type Field } from "./fields.tsx";
import { Form } from "./form.tsx";
import { Heading } from "./heading.tsx";
import { Resend } from "./resend.tsx";
import { call } from "./session.ts";
import { enter, typedEmail } from "./state.ts";
import { say, texts } from "./words.ts";

/** What is done with a code that is mailed to an address. */
interface CodeFlow {
  /** The path that mails it, and the one that uses it. */
  sends: string;
  completes: string;
  title: string;
  lead?: string;
  /** Above the address. */
  before?: ComponentChildren;
  /** What is sent beside the code. */
  fields?: readonly Field[];
  submit: string;
  done?: string;
  /** In the place of the account. */
  next?: () => void;
  /** Below the form. */
  after: ComponentChildren;
}

/** Asks for an address, then for the code that was mailed to it. */
export function MailedCode({ sends, completes, fields = [], done = "", next, ...flow }: CodeFlow) {
  const [isSent, setSent] = useState(false);
  const email = typedEmail.peek();
  const send = (email: string) => call("POST", sends, { email });
  const ask = async (email: string) => {
    typedEmail.value = email;
    await send(email);
    setSent(true);
  };
  const { step, signIn } = useFactorStep(async (tokens) => (next ? next() : enter(tokens, done)));
  const complete = (values: Record<string, string>) => signIn(completes, { ...values, email });
  if (step) return step;
  if (!isSent) {
    return (
      <Fragment key="address">
        <Heading>{flow.title}</Heading>
        {flow.lead && <p class="lead">{flow.lead}</p>}
        {flow.before}
        <Form
          fields={[emailField("email", { defaultValue: email })]}
          submit={texts.sendCode}
          look="primary"
          run={({ email = "" }) => ask(email)}
        />
        {flow.after}
      </Fragment>
    );
  }
  return (
    <Fragment key="code">
      <Heading>{texts.sentTitle}</Heading>
      <p class="lead">{say(texts.sent, { email })}</p>
      <Form fields={[codeField(), ...fields]} submit={flow.submit} look="primary" run={complete} />
      <Resend send={() => send(email)} />
      <p class="foot">
        <button type="button" class="link" onClick={() => setSent(false)}>
          {texts.otherEmail}
        </button>
      </p>
    </Fragment>
  );
}
