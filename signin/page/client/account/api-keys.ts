import type { App } from "../app.ts";
import { icon } from "../dom.ts";
import { field } from "../fields.ts";
import { providerName } from "../providers.ts";
import { day, say, texts } from "../words.ts";
import { openedForm } from "./opened-form.ts";
import { action, change, opener, row, section } from "./row.ts";
import type { Account, Provider } from "./wire.ts";

/** The stored keys of model providers; of each the hint alone. */
export function apiKeySection(app: App, { me, providers }: Account): HTMLElement {
  return section("keys", {
    title: texts.apiKeys,
    lead: texts.apiKeysLead,
    rows: providers
      .filter(({ kind }) => kind === "api_key")
      .map((provider) => {
        const found = me.connections.find((each) => each.provider === provider.slug);
        return keyRow(app, provider, found?.connected_at);
      }),
  });
}

function keyRow(
  app: App,
  { slug, connected, hint }: Provider,
  since: string | undefined,
): HTMLElement {
  const provider = providerName(slug);
  const time = since === undefined ? "" : day(since);
  const remove = () => app.session.call("DELETE", `/auth/${slug}/disconnect`);
  return row({
    mark: icon("key"),
    title: provider,
    notes: [connected ? say(texts.keyIs, { hint: hint ?? "", time }) : texts.noKey],
    actions: [
      connected
        ? action(texts.remove, {
            label: `${texts.remove}: ${provider}`,
            run: () => change(app, remove, say(texts.keyRemoved, { provider })),
          })
        : opener(texts.addKey, {
            label: `${texts.addKey}: ${provider}`,
            make: (close) => keyForm(app, slug, close),
          }),
    ],
  });
}

function keyForm(app: App, slug: string, close: () => void): HTMLElement {
  const provider = providerName(slug);
  const attributes = { type: "password", autocomplete: "off", required: true };
  return openedForm(close, {
    fields: [field({ name: "api_key", label: `${texts.apiKey}: ${provider}`, attributes })],
    submit: texts.save,
    run: (values) =>
      change(
        app,
        () => app.session.call("POST", "/auth/apikey", { provider_slug: slug, ...values }),
        say(texts.keyAdded, { provider }),
      ),
  });
}
