import type { Tokens } from "./api.ts";
import type { App } from "./app.ts";
import { type Child, h } from "./dom.ts";
import { codeField, emailField, type Field } from "./fields.ts";
import { form } from "./form.ts";
import { heading } from "./heading.ts";
import { resendButton } from "./resend.ts";
import { say, texts } from "./words.ts";

/** What is done with a code that is mailed to an address. */
interface CodeFlow {
  /** The path that mails it, and the one that uses it. */
  sends: string;
  completes: string;
  title: string;
  lead?: string;
  /** Above the address. */
  before?: readonly Child[];
  /** Below the form. */
  after: readonly Child[];
  /** What is sent beside the code. */
  fields(): Field[];
  submit: string;
  done: string;
}

/** Asks for an address, then for the code that was mailed to it. */
export function codeFlow(app: App, flow: CodeFlow): Child[] {
  const address = emailField("email", { value: app.email });
  return [
    heading(flow.title),
    flow.lead !== undefined && h("p", { class: "lead" }, flow.lead),
    ...(flow.before ?? []),
    form({
      fields: [address],
      submit: texts.sendCode,
      run: async ({ email = "" }) => {
        app.email = email;
        await send(app, flow);
        app.show(secondStep(app, flow));
      },
    }),
    ...flow.after,
  ];
}

function send({ session, email }: App, { sends }: CodeFlow): Promise<unknown> {
  return session.call("POST", sends, { email });
}

function secondStep(app: App, flow: CodeFlow): Child[] {
  const { email, session } = app;
  return [
    heading(texts.sentTitle),
    h("p", { class: "lead" }, say(texts.sent, { email })),
    form({
      fields: [codeField(), ...flow.fields()],
      submit: flow.submit,
      run: async (values) => {
        const body = { ...values, email };
        await app.enter(await session.call<Tokens>("POST", flow.completes, body), flow.done);
      },
    }),
    resendButton(() => send(app, flow)),
    h(
      "p",
      { class: "foot" },
      h(
        "button",
        { type: "button", class: "link", onclick: () => app.show(codeFlow(app, flow)) },
        texts.otherEmail,
      ),
    ),
  ];
}
