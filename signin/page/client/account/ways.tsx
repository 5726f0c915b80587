import { call } from "../session.ts";
import { change, notice } from "../state.ts";
import { day, say, texts } from "../words.ts";
import { providerMark, providerName } from "../written.ts";
import type { Account } from "./account-data.ts";
import { PasskeyAdder, PasskeyRow } from "./passkeys.tsx";
import { PasswordRow } from "./password.tsx";
import { Row, Section } from "./row.tsx";

/** The ways to sign in: password, providers, passkeys. The last one stays, and the page says so. */
export function WaysSection({ me, passkeys, identities, ...account }: Account) {
  const providers = account.providers.filter(({ kind }) => kind !== "api_key");
  const connected = providers.filter((provider) => provider.connected);
  const isOnlyOne = Number(me.has_password) + connected.length + passkeys.length === 1;
  return (
    <Section id="ways" title={texts.ways} lead={texts.waysLead}>
      <PasswordRow {...me} />
      {providers.map(({ slug, connected }) => {
        const identity = identities.find(({ provider }) => provider === slug);
        const props = { key: slug, slug, identity, isOnlyOne };
        return connected ? <ConnectedRow {...props} /> : <ProviderRow {...props} />;
      })}
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} isOnlyOne={isOnlyOne} />
      ))}
      <PasskeyAdder />
    </Section>
  );
}

function ProviderRow({ slug }: { slug: string }) {
  const name = providerName(slug);
  const buttons = [{ text: texts.connect, of: name, run: () => connect(slug) }];
  const notes = [texts.notConnected];
  return <Row mark={providerMark(slug)} title={name} notes={notes} buttons={buttons} />;
}

interface ConnectedProps {
  slug: string;
  identity: Account["identities"][number] | undefined;
  isOnlyOne: boolean;
}

function ConnectedRow({ slug, identity, isOnlyOne }: ConnectedProps) {
  const provider = providerName(slug);
  const isUnconfirmed = identity?.confirmed === false;
  const confirmed = say(texts.confirmed, { provider });
  const disconnected = say(texts.disconnected, { provider });
  return (
    <Row
      mark={providerMark(slug)}
      title={provider}
      notes={[
        identity && say(texts.connectedSince, { time: day(identity.linked_at) }),
        isUnconfirmed && texts.unconfirmed,
        isOnlyOne && texts.onlyWay,
      ]}
      buttons={[
        isUnconfirmed && {
          text: texts.confirm,
          of: provider,
          run: () => change(confirmed, "POST", `/auth/identities/${slug}/confirm`),
        },
        !isOnlyOne && {
          text: texts.disconnect,
          of: provider,
          run: () => change(disconnected, "DELETE", `/auth/${slug}/disconnect`),
        },
      ]}
    />
  );
}

async function connect(slug: string): Promise<void> {
  const { url } = await call<{ url: string }>("GET", `/auth/${slug}/login?mode=link`);
  notice.value = say(texts.onTheWay, { provider: providerName(slug) });
  location.assign(url);
}
