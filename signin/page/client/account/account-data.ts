import type { Me, ProviderList } from "../../../accounts/wire.ts";
import type { SigninEvent } from "../../../audit/wire.ts";
import type { IdentityList } from "../../../connections/wire.ts";
import type { Passkey } from "../../../passkeys/wire.ts";
import type { Session as Device } from "../../../sessions/wire.ts";
import type { Session } from "../api.ts";

/** What the account view reads from the server. */
export interface Account {
  me: Me;
  providers: Provider[];
  identities: IdentityList["identities"];
  passkeys: Passkey[];
  sessions: Device[];
  events: SigninEvent[];
}

export type Provider = ProviderList["providers"][number];
export type Identity = Account["identities"][number];

/** Reads the account as the server has it now. @throws Refusal */
export async function readAccount(session: Session): Promise<Account> {
  const get = <Part>(path: string) => session.call<Part>("GET", path);
  const [me, { providers }, { identities }, { passkeys }, { sessions }, { events }] =
    await Promise.all([
      get<Me>("/auth/me"),
      get<Pick<Account, "providers">>("/auth/providers"),
      get<Pick<Account, "identities">>("/auth/identities"),
      get<Pick<Account, "passkeys">>("/auth/passkeys"),
      get<Pick<Account, "sessions">>("/auth/sessions"),
      get<Pick<Account, "events">>("/auth/events"),
    ]);
  return { me, providers, identities, passkeys, sessions, events };
}
