import type { Me, ProviderList } from "../../../accounts/wire.ts";
import type { SigninEvent } from "../../../audit/wire.ts";
import type { IdentityList } from "../../../connections/wire.ts";
import type { Passkey } from "../../../passkeys/wire.ts";
import type { Session } from "../../../sessions/wire.ts";

/** What the account view reads of the server. */
export interface Account {
  me: Me;
  providers: Provider[];
  identities: IdentityList["identities"];
  passkeys: Passkey[];
  sessions: Session[];
  events: SigninEvent[];
}

export type Provider = ProviderList["providers"][number];
export type Identity = Account["identities"][number];
