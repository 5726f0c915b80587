import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { factorField, passwordField } from "../fields.tsx";
import { CancelButton, Close, Form } from "../form.tsx";
import { getCredential } from "../passkey-sign-in.ts";
import { call, type ProofRequest } from "../session.ts";
import { shown } from "../state.ts";
import { texts } from "../words.ts";
import { CodeStep } from "./code-step.tsx";
import { Action, WithProblem } from "./row.tsx";

/** Asks for a fresh proof in one of the ways, over the page. */
export function ProofDialog({ ways, settle }: ProofRequest) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isProven = useRef(false);
  const [isCodeSent, setCodeSent] = useState(false);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const prove = async (proof: object) => {
    await call("POST", "/auth/reauthenticate", proof);
    isProven.current = true;
    dialog.current?.close();
  };
  const usePasskey = async () => prove({ credential: await getCredential({}) });
  const sendCode = async () => {
    await call("POST", "/auth/reauthenticate/code");
    setCodeSent(true);
  };
  // Once a code is on its way, the other ways go.
  const has = (way: (typeof ways)[number]) => ways.includes(way) && !isCodeSent;
  const email = "account" in shown.value ? shown.value.account.me.email : "";
  const code = { email, send: sendCode, submit: texts.confirm, run: prove };
  return (
    <dialog ref={dialog} aria-labelledby="proof-title" onClose={() => settle(isProven.current)}>
      <h2 id="proof-title">{texts.prove}</h2>
      <p class="soft">{texts.proveLead}</p>
      <WithProblem>
        {has("passkey") && <Action text={texts.usePasskey} class="filled" run={usePasskey} />}
        {has("password") && (
          <Form fields={[passwordField(texts.password)]} submit={texts.confirm} run={prove} />
        )}
        {has("second_factor") && (
          <Form fields={[factorField()]} submit={texts.confirm} run={prove} />
        )}
        {ways.includes("code") && <CodeStep {...code} isSecond={ways.length > 1} />}
      </WithProblem>
      <div class="actions">
        <Close.Provider value={() => dialog.current?.close()}>
          <CancelButton />
        </Close.Provider>
      </div>
    </dialog>
  );
}
