import { Form } from "../form.tsx";
import { change } from "../state.ts";
import { day, say, texts } from "../words.ts";
import { providerName } from "../written.ts";
import type { Account } from "./account-data.ts";
import { Row, Section } from "./row.tsx";

/** The stored keys of model providers; of each the hint alone. */
export function ApiKeySection({ me, providers }: Account) {
  const since = new Map(me.connections.map((each) => [each.provider, each.connected_at]));
  return (
    <Section id="keys" title={texts.apiKeys} lead={texts.apiKeysLead}>
      {providers
        .filter(({ kind }) => kind === "api_key")
        .map((provider) => (
          <KeyRow key={provider.slug} {...provider} since={since.get(provider.slug)} />
        ))}
    </Section>
  );
}

type KeyProps = Account["providers"][number] & { since: string | undefined };

function KeyRow({ slug, connected, hint, since }: KeyProps) {
  const provider = providerName(slug);
  const added = say(texts.keyAdded, { provider });
  const removed = say(texts.keyRemoved, { provider });
  const label = `${texts.apiKey}: ${provider}`;
  const add = (
    <Form
      fields={[{ name: "api_key", label, type: "password", autocomplete: "off", required: true }]}
      submit={texts.save}
      run={(key) => change(added, "POST", "/auth/apikey", { provider_slug: slug, ...key })}
    />
  );
  const remove = () => change(removed, "DELETE", `/auth/${slug}/disconnect`);
  const keyIs = say(texts.keyIs, { hint: hint ?? "", time: since ? day(since) : "" });
  return (
    <Row
      mark="key"
      title={provider}
      notes={[connected ? keyIs : texts.noKey]}
      buttons={[
        connected
          ? { text: texts.remove, of: provider, run: remove }
          : { text: texts.addKey, of: provider, form: add },
      ]}
    />
  );
}
