import type { App } from "../app.ts";
import { icon } from "../dom.ts";
import { providerMark, providerName } from "../providers.ts";
import { day, say, texts } from "../words.ts";
import { passkeyAdder, passkeyRow } from "./passkeys.ts";
import { passwordRow } from "./password.ts";
import { action, change, row, section } from "./row.ts";
import type { Account, Identity, Provider } from "./wire.ts";

/** The ways to sign in: password, providers, passkeys. The last one stays, and the page says so. */
export function waysSection(app: App, account: Account): HTMLElement {
  const { me, passkeys } = account;
  const providers = account.providers.filter(({ kind }) => kind !== "api_key");
  const identities = providers.filter(({ connected }) => connected);
  const isOnlyOne = Number(me.has_password) + identities.length + passkeys.length === 1;
  return section("ways", {
    title: texts.ways,
    lead: texts.waysLead,
    rows: [
      passwordRow(app, me),
      ...providers.map((provider) => {
        const identity = account.identities.find((each) => each.provider === provider.slug);
        return providerRow(app, provider, { identity, isOnlyOne });
      }),
      ...passkeys.map((passkey) => passkeyRow(app, passkey, { isOnlyOne })),
      passkeyAdder(app),
    ],
  });
}

function providerRow(
  app: App,
  { slug, connected }: Provider,
  { identity, isOnlyOne }: { identity: Identity | undefined; isOnlyOne: boolean },
): HTMLElement {
  const provider = providerName(slug);
  const mark = providerMark(slug) ?? icon("key");
  if (!connected) {
    const connect = action(texts.connect, {
      label: `${texts.connect}: ${provider}`,
      run: () => link(app, slug),
    });
    return row({ mark, title: provider, notes: [texts.notConnected], actions: [connect] });
  }
  const disconnect = action(texts.disconnect, {
    label: `${texts.disconnect}: ${provider}`,
    run: () =>
      change(
        app,
        () => app.session.call("DELETE", `/auth/${slug}/disconnect`),
        say(texts.disconnected, { provider }),
      ),
  });
  const confirm = action(texts.confirm, {
    label: `${texts.confirm}: ${provider}`,
    run: () =>
      change(
        app,
        () => app.session.call("POST", `/auth/identities/${slug}/confirm`),
        say(texts.confirmed, { provider }),
      ),
  });
  const isUnconfirmed = identity?.confirmed === false;
  return row({
    mark,
    title: provider,
    notes: [
      identity && say(texts.connectedSince, { time: day(identity.linked_at) }),
      isUnconfirmed && texts.unconfirmed,
      isOnlyOne && texts.onlyWay,
    ],
    actions: [isUnconfirmed && confirm, !isOnlyOne && disconnect],
  });
}

async function link(app: App, slug: string): Promise<void> {
  const { url } = await app.session.call<{ url: string }>("GET", `/auth/${slug}/login?mode=link`);
  app.notify(say(texts.onTheWay, { provider: providerName(slug) }));
  location.assign(url);
}
