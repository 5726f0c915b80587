import type { Me } from "../../../accounts/wire.ts";
import type { ProofWay } from "../../../errors.ts";
import type { App } from "../app.ts";
import { h } from "../dom.ts";
import { passwordField } from "../fields.ts";
import { problemLine } from "../form.ts";
import { canUsePasskeys, explainPasskey, getCredential } from "../passkey-sign-in.ts";
import { texts } from "../words.ts";
import { codeStep } from "./code-step.ts";
import { cancelButton, openedForm } from "./opened-form.ts";
import { action } from "./row.ts";

/** Asks for a fresh proof in one of these ways, over the page. Resolves to whether the server has it now. @throws Refusal */
export async function askForProof(app: App, ways: readonly ProofWay[]): Promise<boolean> {
  const parts = await formsOf(app, ways);
  if (parts.length === 0) return false;
  return new Promise((resolve) => {
    let isProven = false;
    const prove = async (proof: object) => {
      await app.session.call("POST", "/auth/reauthenticate", proof);
      isProven = true;
      dialog.close();
    };
    const made = parts.map((part) => part({ prove, keep: (kept) => keepOne(made, kept) }));
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
      ...made,
      problemLine(),
      h(
        "div",
        { class: "actions" },
        cancelButton(() => dialog.close()),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Makes one way. `keep` removes the other ways, as a code is on its way for this one. */
type Part = (steps: {
  prove(proof: object): Promise<void>;
  keep(part: HTMLElement): void;
}) => HTMLElement;

function keepOne(parts: readonly HTMLElement[], kept: HTMLElement): void {
  for (const part of parts) if (part !== kept) part.remove();
}

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
    parts.push(({ prove }) =>
      openedForm(undefined, {
        fields: [passwordField(texts.password, { autocomplete: "current-password" })],
        submit: texts.confirm,
        run: prove,
      }),
    );
  }
  if (ways.includes("code")) {
    const isSecond = parts.length > 0;
    const { email } = await app.session.call<Me>("GET", "/auth/me");
    parts.push(({ prove, keep }) => {
      const step: HTMLElement = codeStep(app, {
        email,
        isSecond,
        send: async () => {
          await app.session.call("POST", "/auth/reauthenticate/code");
          keep(step);
        },
        submit: texts.confirm,
        run: prove,
      });
      return step;
    });
  }
  return parts;
}
