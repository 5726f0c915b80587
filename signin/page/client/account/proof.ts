import type { Me } from "../../../accounts/wire.ts";
import type { ProofWay } from "../../../errors.ts";
import type { App } from "../app.ts";
import { h } from "../dom.ts";
import { passwordField } from "../fields.ts";
import { problemLine } from "../form.ts";
import { canUsePasskeys, explainPasskey, getCredential } from "../passkey-sign-in.ts";
import { texts } from "../words.ts";
import { codeStep } from "./code-step.ts";
import { openedForm } from "./opened-form.ts";
import { action } from "./row.ts";

/** Asks for a fresh proof in one of these ways, over the page. Resolves to whether the server has it now. @throws Refusal */
export async function askForProof(app: App, ways: readonly ProofWay[]): Promise<boolean> {
  const parts = await formsOf(app, ways);
  if (parts.length === 0) return false;
  return new Promise((resolve) => {
    let isProven = false;
    const close = () => dialog.close();
    const prove = async (proof: object) => {
      await app.session.call("POST", "/auth/reauthenticate", proof);
      isProven = true;
      close();
    };
    const title = h("h2", { id: "proof-title" }, texts.prove);
    const dialog = h(
      "dialog",
      {
        "aria-labelledby": title.id,
        onclose: () => {
          dialog.remove();
          resolve(isProven);
        },
      },
      title,
      h("p", { class: "soft" }, texts.proveLead),
      ...parts.map((part) => part({ close, prove })),
      problemLine(),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

type Part = (steps: { close(): void; prove(proof: object): Promise<void> }) => HTMLElement;

async function formsOf(app: App, ways: readonly ProofWay[]): Promise<Part[]> {
  const parts: Part[] = [];
  if (ways.includes("passkey") && canUsePasskeys()) {
    parts.push(({ prove }) =>
      action(texts.usePasskey, {
        className: "filled",
        run: async () => prove({ credential: await getCredential(app, {}).catch(explainPasskey) }),
      }),
    );
  }
  if (ways.includes("password")) {
    parts.push(({ close, prove }) =>
      openedForm(close, {
        fields: [passwordField(texts.password, { autocomplete: "current-password" })],
        submit: texts.confirm,
        run: prove,
      }),
    );
  }
  if (ways.includes("code")) {
    const { email } = await app.session.call<Me>("GET", "/auth/me");
    parts.push(({ close, prove }) =>
      codeStep(app, {
        email,
        send: () => app.session.call("POST", "/auth/reauthenticate/code"),
        submit: texts.confirm,
        run: prove,
        close,
      }),
    );
  }
  return parts;
}
