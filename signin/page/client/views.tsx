import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { FactorForm, useFactorStep } from "./factor-step.tsx";
import { emailField, nameField, passwordField } from "./fields.tsx";
import { Form, ProblemLine } from "./form.tsx";
import { Heading } from "./heading.tsx";
import { Icon } from "./icon.tsx";
import { MailedCode } from "./mailed-code.tsx";
import { newPasswordField } from "./new-password.tsx";
import { usePasskeys } from "./passkey-sign-in.ts";
import { call, canUsePasskeys } from "./session.ts";
import { enter, typedEmail, type ViewName } from "./state.ts";
import { canSignUp, hasMail, pending, say, signUpNote, texts } from "./words.ts";
import { providerLinks, providersClass } from "./written.ts";

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
          lead={signUpNote}
          before={<Providers />}
          fields={[nameField(), newPasswordField()]}
          submit={texts.create}
          done={texts.created}
          after={<Foot words={texts.haveAccount} view="sign-in" link={texts.signIn} />}
        />
      );
    case "finish":
      return (
        <MailedCode
          sends="/auth/signup/code"
          completes="/auth/signup/complete"
          title={texts.finishTitle}
          lead={say(texts.finishLead, { provider: pending?.provider ?? "" })}
          submit={texts.create}
          // The session of the account is in the cookie.
          next={() => location.replace(pending?.next ?? "/")}
          after={<Foot view="sign-in" link={texts.backToSignIn} />}
        />
      );
    case "factor":
      return <IdentityFactor />;
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
          after={<Foot view="sign-in" link={texts.backToSignIn} />}
        />
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
          after={<Foot view="sign-in" link={texts.backToSignIn} />}
        />
      );
  }
}

function SignIn() {
  const problem = useSignal("");
  const address = useRef<HTMLInputElement>(null);
  const signInWithPasskey = usePasskeys(address, problem);
  const { step, signIn } = useFactorStep((tokens) => enter(tokens, texts.signedIn));
  if (step) return step;
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
        run={(values) => signIn("/auth/login", values)}
      />
      <div class="stack others">
        {canUsePasskeys() && (
          <button type="button" onClick={() => void signInWithPasskey()}>
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
      {canSignUp && <Foot words={texts.noAccount} view="sign-up" link={texts.signUp} />}
      {signUpNote && <p class="soft small">{signUpNote}</p>}
    </>
  );
}

function Providers() {
  const links = providerLinks();
  if (links.length === 0) return null;
  return (
    <>
      <div class={providersClass}>{links}</div>
      <p class="divider">{texts.or}</p>
    </>
  );
}

/** The second factor of a sign-in with a provider, which waits in a cookie of this browser. */
function IdentityFactor() {
  const run = async (values: Record<string, string>) => {
    await call("POST", "/auth/second-factor/identity", values);
    location.replace(pending?.next ?? "/");
  };
  return <FactorForm run={run} after={<Foot view="sign-in" link={texts.backToSignIn} />} />;
}

function Foot({ words = "", view, link }: { words?: string; view: ViewName; link: string }) {
  return (
    <p class="foot">
      {words} <a href={`#${view}`}>{link}</a>
    </p>
  );
}
