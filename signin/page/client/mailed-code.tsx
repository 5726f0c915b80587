import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { codeField, emailField, type Field } from "./fields.tsx";
import { Form } from "./form.tsx";
import { Heading } from "./heading.tsx";
import { Resend } from "./resend.tsx";
import type { Tokens } from "./session.ts";
import { enter, session, typedEmail } from "./state.ts";
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
  done: string;
  /** Below the form. */
  after: ComponentChildren;
}

/** Asks for an address, then for the code that was mailed to it. */
export function MailedCode(flow: CodeFlow) {
  const [isSent, setSent] = useState(false);
  const send = (email: string) => session.call("POST", flow.sends, { email });
  if (isSent) {
    const resend = () => send(typedEmail.peek());
    return <CodeStep {...flow} resend={resend} leave={() => setSent(false)} />;
  }
  return (
    <>
      <Heading>{flow.title}</Heading>
      {flow.lead && <p class="lead">{flow.lead}</p>}
      {flow.before}
      <Form
        fields={[emailField("email", { defaultValue: typedEmail.peek() })]}
        submit={texts.sendCode}
        look="primary"
        run={async ({ email = "" }) => {
          typedEmail.value = email;
          await send(email);
          setSent(true);
        }}
      />
      {flow.after}
    </>
  );
}

interface CodeStepProps extends CodeFlow {
  resend(): Promise<unknown>;
  leave(): void;
}

function CodeStep({ fields = [], submit, completes, done, resend, leave }: CodeStepProps) {
  const email = typedEmail.peek();
  return (
    <>
      <Heading>{texts.sentTitle}</Heading>
      <p class="lead">{say(texts.sent, { email })}</p>
      <Form
        fields={[codeField(), ...fields]}
        submit={submit}
        look="primary"
        run={async (values) =>
          enter(await session.call<Tokens>("POST", completes, { ...values, email }), done)
        }
      />
      <Resend send={resend} />
      <p class="foot">
        <button type="button" class="link" onClick={leave}>
          {texts.otherEmail}
        </button>
      </p>
    </>
  );
}
