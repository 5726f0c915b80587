import type { Passkey } from "../../../passkeys/wire.ts";
import type { App } from "../app.ts";
import { h, icon } from "../dom.ts";
import { field } from "../fields.ts";
import { canUsePasskeys, credentialJson, explainPasskey } from "../passkey-sign-in.ts";
import { ago, day, say, texts } from "../words.ts";
import { openedForm } from "./opened-form.ts";
import { action, change, opener, row } from "./row.ts";

/** A passkey with its name, and what can be done with it. */
export function passkeyRow(
  app: App,
  passkey: Passkey,
  { isOnlyOne }: { isOnlyOne: boolean },
): HTMLElement {
  const { label, created_at, last_used_at, backed_up } = passkey;
  const path = `/auth/passkeys/${encodeURIComponent(passkey.id)}`;
  const used =
    last_used_at === null ? texts.neverUsed : say(texts.lastUsed, { time: ago(last_used_at) });
  const added = say(texts.addedOn, { time: day(created_at) });
  const remove = opener(texts.remove, {
    label: `${texts.remove}: ${label}`,
    make: (close) => removeForm(app, path, close),
  });
  const rename = opener(texts.rename, {
    label: `${texts.rename}: ${label}`,
    make: (close) => renameForm(app, { path, label }, close),
  });
  return row({
    mark: icon("passkey"),
    title: label,
    badge: texts.passkey === label ? undefined : texts.passkey,
    notes: [
      [backed_up ? texts.synchronized : texts.onOneDevice, added, used].join(" · "),
      isOnlyOne && texts.onlyWay,
    ],
    actions: isOnlyOne ? [rename] : [rename, remove],
  });
}

/** The row that adds one, or says that this browser cannot. */
export function passkeyAdder(app: App): HTMLElement {
  const add = action(texts.addPasskey, {
    run: () => change(app, () => create(app), texts.passkeyAdded),
  });
  return row({
    mark: icon("passkey"),
    title: texts.passkeys,
    notes: [texts.passkeyNote, !canUsePasskeys() && texts.passkeyUnsupported],
    actions: canUsePasskeys() ? [add] : [],
  });
}

async function create({ session }: App): Promise<void> {
  const options = await session.call<PublicKeyCredentialCreationOptionsJSON>(
    "POST",
    "/auth/passkeys/options",
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials
    .create({ publicKey })
    .then(credentialJson, explainPasskey);
  await session.call("POST", "/auth/passkeys", { credential });
}

function removeForm(app: App, path: string, close: () => void): HTMLElement {
  const confirm = openedForm(close, {
    fields: [],
    submit: texts.remove,
    look: "filled danger-fill",
    run: () => change(app, () => app.session.call("DELETE", path), texts.passkeyRemoved),
  });
  return h("div", { class: "step" }, h("p", {}, texts.removePasskey), confirm);
}

function renameForm(
  app: App,
  { path, label }: { path: string; label: string },
  close: () => void,
): HTMLElement {
  const attributes = { value: label, maxlength: 100, required: true };
  return openedForm(close, {
    fields: [field({ name: "label", label: texts.passkeyName, attributes })],
    submit: texts.save,
    run: (values) =>
      change(app, () => app.session.call("PATCH", path, values), texts.passkeyRenamed),
  });
}
