import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { SigninError } from "../../client/errors.ts";
import { factorField } from "./fields.tsx";
import { Form, type FormParts } from "./form.tsx";
import { Heading } from "./heading.tsx";
import { call, type Tokens } from "./session.ts";
import { texts } from "./words.ts";

/** A sign-in that waits for the second factor: the same body goes again with it. */
interface Waiting {
  path: string;
  values: Record<string, string>;
}

/**
 * What signs in with a body, and the step that takes the place of its form if the account has a second factor. `next` gets the
 * tokens.
 */
export function useFactorStep(next: (tokens: Tokens) => Promise<void>) {
  const [waiting, setWaiting] = useState<Waiting>();
  const send = async ({ path, values }: Waiting) => next(await call<Tokens>("POST", path, values));
  const signIn = async (path: string, values: Record<string, string>) => {
    await send({ path, values }).catch((error: unknown) => {
      const isAsked = error instanceof SigninError && error.code === "second_factor_required";
      if (!isAsked) throw error;
      setWaiting({ path, values });
    });
  };
  const back = (
    <p class="foot">
      <button type="button" class="link" onClick={() => setWaiting(undefined)}>
        {texts.backToSignIn}
      </button>
    </p>
  );
  const step = waiting && (
    <FactorForm
      run={(values) => send({ ...waiting, values: { ...waiting.values, ...values } })}
      after={back}
    />
  );
  return { step, signIn };
}

/** Asks for the second factor of a sign-in. */
export function FactorForm({ run, after }: Pick<FormParts, "run"> & { after: ComponentChildren }) {
  return (
    <>
      <Heading>{texts.factorTitle}</Heading>
      <p class="lead">{texts.factorLead}</p>
      <Form fields={[factorField()]} submit={texts.signIn} look="primary" run={run} />
      {after}
    </>
  );
}
