import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { codeField } from "../fields.tsx";
import { CancelButton, Form, type FormParts } from "../form.tsx";
import { Resend } from "../resend.tsx";
import { whileSignedIn } from "../state.ts";
import { say, texts } from "../words.ts";
import { Action } from "./row.tsx";

/** A change that a mailed code confirms; `fields` are sent beside the code. */
interface CodeStepProps extends Omit<FormParts, "fields">, Partial<Pick<FormParts, "fields">> {
  /** Mails the code. @throws Refusal */
  send(): Promise<unknown>;
  /** Where it goes. */
  email: string;
  /** Whether another way stands above it. */
  isSecond?: boolean;
}

/** A button that mails the code; then the form for it. */
export function CodeStep({ isSecond, ...step }: CodeStepProps) {
  const [isSent, setSent] = useState(false);
  const send = async () => {
    await step.send();
    setSent(true);
  };
  if (isSent) return <EnterCode {...step} />;
  const text = say(texts.mailCode, { email: step.email });
  return (
    <div class="actions">
      <Action text={text} class={isSecond ? "" : "filled"} run={() => whileSignedIn(send)} />
      <CancelButton />
    </div>
  );
}

/** The form for a code that is on its way. */
export function EnterCode({ send, email, fields = [], ...form }: CodeStepProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.querySelector("input")?.focus(), []);
  return (
    <div class="step" ref={place}>
      <p>{say(texts.sent, { email })}</p>
      <Form {...form} fields={[codeField(), ...fields]} />
      <Resend send={send} />
    </div>
  );
}
