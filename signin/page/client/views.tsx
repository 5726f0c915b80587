import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Tokens } from "./api.ts";
import { emailField, nameField, passwordField } from "./fields.tsx";
import { Form, ProblemLine } from "./form.tsx";
import { Heading } from "./heading.tsx";
import { Icon } from "./icon.tsx";
import { MailedCode } from "./mailed-code.tsx";
import { newPasswordField } from "./new-password.tsx";
import { PasskeySignIn } from "./passkey-sign-in.ts";
import { enter, session, typedEmail, type ViewName } from "./state.ts";
import { canUsePasskeys } from "./webauthn.ts";
import { hasMail, texts } from "./words.ts";
import { providerLinks } from "./written.ts";

/** The content of a view without a session. */
export function View({ name }: { name: ViewName }) {
  switch (name) {
    case "sign-in":
      return <SignIn />;
    case "sign-up":
      return (
        <MailedCode
          sends="/auth/signup/code"
          completes="/auth/signup/complete"
          title={texts.signUp}
          before={<Providers />}
          fields={[nameField(), newPasswordField()]}
          submit={texts.create}
          done={texts.created}
        >
          <Foot words={texts.haveAccount} view="sign-in" link={texts.signIn} />
        </MailedCode>
      );
    case "reset":
      return (
        <MailedCode
          sends="/auth/password/reset/code"
          completes="/auth/password/reset/complete"
          title={texts.resetTitle}
          lead={texts.resetLead}
          fields={[newPasswordField()]}
          submit={texts.setPassword}
          done={texts.resetDone}
        >
          <Foot view="sign-in" link={texts.backToSignIn} />
        </MailedCode>
      );
    case "code":
      return (
        <MailedCode
          sends="/auth/login/code"
          completes="/auth/login/code/complete"
          title={texts.codeTitle}
          lead={texts.codeLead}
          submit={texts.signIn}
          done={texts.signedIn}
        >
          <Foot view="sign-in" link={texts.backToSignIn} />
        </MailedCode>
      );
  }
}

function SignIn() {
  const problem = useSignal("");
  const address = useRef<HTMLInputElement>(null);
  const passkeys = useRef<PasskeySignIn>(undefined);
  useLayoutEffect(() => {
    if (!address.current) return;
    const offered = new PasskeySignIn(address.current, problem);
    passkeys.current = offered;
    return () => offered.stop();
  }, []);
  const email = emailField("username webauthn", {
    inputRef: address,
    defaultValue: typedEmail.peek(),
    // What was typed goes along to the other views.
    onInput: ({ currentTarget }) => {
      typedEmail.value = currentTarget.value.trim();
    },
  });
  const forgot = hasMail && <a href="#reset">{texts.forgot}</a>;
  return (
    <>
      <Heading>{texts.signIn}</Heading>
      <ProblemLine text={problem} />
      <Providers />
      <Form
        fields={[email, passwordField(texts.password, { aside: forgot })]}
        submit={texts.signIn}
        look="primary"
        problem={problem}
        run={async (values) =>
          enter(await session.call<Tokens>("POST", "/auth/login", values), texts.signedIn)
        }
      />
      <div class="stack others">
        {canUsePasskeys() && (
          <button type="button" onClick={() => void passkeys.current?.signIn()}>
            <Icon name="passkey" />
            {texts.withPasskey}
          </button>
        )}
        {hasMail && (
          <a class="button" href="#code">
            <Icon name="mail" />
            {texts.withCode}
          </a>
        )}
      </div>
      {hasMail && <Foot words={texts.noAccount} view="sign-up" link={texts.signUp} />}
    </>
  );
}

function Providers() {
  const links = providerLinks();
  if (links.length === 0) return null;
  return (
    <>
      <div class="stack">{links}</div>
      <p class="divider">{texts.or}</p>
    </>
  );
}

function Foot({ words = "", view, link }: { words?: string; view: ViewName; link: string }) {
  return (
    <p class="foot">
      {words} <a href={`#${view}`}>{link}</a>
    </p>
  );
}
