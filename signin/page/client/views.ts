import type { Tokens } from "./api.ts";
import type { App, ViewName } from "./app.ts";
import { type Child, h, icon } from "./dom.ts";
import { emailField, field, passwordField } from "./fields.ts";
import { form, problemLine } from "./form.ts";
import { heading } from "./heading.ts";
import { codeFlow } from "./mailed-code.ts";
import { newPasswordField } from "./new-password.ts";
import { canUsePasskeys, type PasskeySignIn } from "./passkey-sign-in.ts";
import { providerLinks } from "./providers.ts";
import { hasMail, texts } from "./words.ts";

/** The content of a view without a session. */
export function viewOf(name: ViewName, app: App, passkeys: PasskeySignIn): Child[] {
  switch (name) {
    case "sign-in":
      return signInView(app, passkeys);
    case "sign-up":
      return codeFlow(app, {
        sends: "/auth/signup/code",
        completes: "/auth/signup/complete",
        title: texts.signUp,
        before: providerStack(),
        fields: () => [nameField(), newPasswordField()],
        submit: texts.create,
        done: texts.created,
        after: [foot(texts.haveAccount, "sign-in", texts.signIn)],
      });
    case "reset":
      return codeFlow(app, {
        sends: "/auth/password/reset/code",
        completes: "/auth/password/reset/complete",
        title: texts.resetTitle,
        lead: texts.resetLead,
        fields: () => [newPasswordField()],
        submit: texts.setPassword,
        done: texts.resetDone,
        after: [foot("", "sign-in", texts.backToSignIn)],
      });
    case "code":
      return codeFlow(app, {
        sends: "/auth/login/code",
        completes: "/auth/login/code/complete",
        title: texts.codeTitle,
        lead: texts.codeLead,
        fields: () => [],
        submit: texts.signIn,
        done: texts.signedIn,
        after: [foot("", "sign-in", texts.backToSignIn)],
      });
  }
}

function signInView(app: App, passkeys: PasskeySignIn): Child[] {
  const problem = problemLine();
  const address = emailField("username webauthn", { value: app.email });
  const password = passwordField(texts.password, {
    autocomplete: "current-password",
    ...(hasMail ? { aside: h("a", { href: "#reset" }, texts.forgot) } : {}),
  });
  // What was typed goes along to the other views.
  address.input.addEventListener("input", () => {
    app.email = address.value();
  });
  passkeys.offer(address.input, problem);
  return [
    heading(texts.signIn),
    problem,
    ...providerStack(),
    form({
      fields: [address, password],
      submit: texts.signIn,
      problem,
      run: async (values) => {
        const tokens = await app.session.call<Tokens>("POST", "/auth/login", values);
        await app.enter(tokens, texts.signedIn);
      },
    }),
    h(
      "div",
      { class: "stack others" },
      canUsePasskeys() &&
        h(
          "button",
          { type: "button", onclick: () => void passkeys.signIn(problem) },
          icon("passkey"),
          texts.withPasskey,
        ),
      hasMail && h("a", { class: "button", href: "#code" }, icon("mail"), texts.withCode),
    ),
    hasMail && foot(texts.noAccount, "sign-up", texts.signUp),
  ];
}

function nameField() {
  const attributes = { autocomplete: "name", maxlength: 100 };
  return field({ name: "display_name", label: texts.nameOptional, attributes });
}

function providerStack(): Child[] {
  const links = providerLinks();
  if (links.length === 0) return [];
  return [h("div", { class: "stack" }, ...links), h("p", { class: "divider" }, texts.or)];
}

function foot(words: string, view: ViewName, link: string): HTMLElement {
  return h("p", { class: "foot" }, words, " ", h("a", { href: `#${view}` }, link));
}
