import type { Me, ProviderList } from "../../../accounts/wire.ts";
import type { SigninEvent } from "../../../audit/wire.ts";
import type { IdentityList } from "../../../connections/wire.ts";
import type { Passkey } from "../../../passkeys/wire.ts";
import type { SecondFactorState } from "../../../second-factor/wire.ts";
import type { Session as Device } from "../../../sessions/wire.ts";
import { call } from "../session.ts";

/** What the account view reads from the server. */
export type Account = Awaited<ReturnType<typeof readAccount>>;

/** Reads the account as the server has it now. @throws SigninError */
export async function readAccount() {
  const get = <Part>(name: string) => call<Part>("GET", `/auth/${name}`);
  const [me, { providers }, { identities }, { passkeys }, { sessions }, { events }, factor] =
    await Promise.all([
      get<Me>("me"),
      get<ProviderList>("providers"),
      get<IdentityList>("identities"),
      get<{ passkeys: Passkey[] }>("passkeys"),
      get<{ sessions: Device[] }>("sessions"),
      get<{ events: SigninEvent[] }>("events"),
      get<SecondFactorState>("second-factor"),
    ]);
  return { me, providers, identities, passkeys, sessions, events, factor };
}
