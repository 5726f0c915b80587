import type { Passkey } from "../../../passkeys/wire.ts";
import { Form } from "../form.tsx";
import { credentialJson } from "../passkey-sign-in.ts";
import { call, canUsePasskeys } from "../session.ts";
import { change, changeBy } from "../state.ts";
import { ago, day, say, texts } from "../words.ts";
import { Row } from "./row.tsx";

/** A passkey with its name, and what can be done with it. */
export function PasskeyRow({ passkey, isOnlyOne }: { passkey: Passkey; isOnlyOne: boolean }) {
  const { id, label, created_at, last_used_at, backed_up } = passkey;
  const path = `/auth/passkeys/${encodeURIComponent(id)}`;
  const facts = [
    backed_up ? texts.synchronized : texts.onOneDevice,
    say(texts.addedOn, { time: day(created_at) }),
    last_used_at === null ? texts.neverUsed : say(texts.lastUsed, { time: ago(last_used_at) }),
  ];
  const field = { name: "label", label: texts.passkeyName, maxLength: 100, required: true };
  const rename = (
    <Form
      fields={[{ ...field, defaultValue: label }]}
      submit={texts.save}
      run={(values) => change(texts.passkeyRenamed, "PATCH", path, values)}
    />
  );
  const remove = (
    <Form
      lead={texts.removePasskey}
      fields={[]}
      submit={texts.remove}
      look="filled danger-fill"
      run={() => change(texts.passkeyRemoved, "DELETE", path)}
    />
  );
  return (
    <Row
      mark="passkey"
      title={label}
      badge={texts.passkey !== label && texts.passkey}
      notes={[facts.join(" · "), isOnlyOne && texts.onlyWay]}
      buttons={[
        { text: texts.rename, of: label, form: rename },
        !isOnlyOne && { text: texts.remove, of: label, form: remove },
      ]}
    />
  );
}

/** The row that adds one, or says that this browser cannot. */
export function PasskeyAdder() {
  const canAdd = canUsePasskeys();
  const run = () => changeBy(texts.passkeyAdded, create);
  return (
    <Row
      mark="passkey"
      title={texts.passkeys}
      notes={[texts.passkeyNote, !canAdd && texts.passkeyUnsupported]}
      buttons={[canAdd && { text: texts.addPasskey, run }]}
    />
  );
}

async function create(): Promise<void> {
  const options = await call<PublicKeyCredentialCreationOptionsJSON>(
    "POST",
    "/auth/passkeys/options",
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = credentialJson(await navigator.credentials.create({ publicKey }));
  await call("POST", "/auth/passkeys", { credential });
}
