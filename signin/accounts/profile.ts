import type { SigninConfig } from "../config/config.ts";
import { API_KEY_PROVIDERS } from "../config/variables.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { type AccountState, findAccount, updateDisplayName } from "./store.ts";
import type { Connection, Me, ProfileChange, ProviderList } from "./wire.ts";

/** @throws SigninError `session_expired` if the account was deleted */
export async function getMe(
  { db, config }: Pick<Scope, "db" | "config">,
  userId: string,
): Promise<Me> {
  const account = await getAccount(db, userId);
  return {
    ...account.user,
    has_password: account.hasPassword,
    connections: account.connections.map((connection) => toConnection(connection, config)),
  };
}

/** Stores the name to show, and answers as `GET /auth/me`. @throws SigninError `session_expired` if the account was deleted */
export async function changeProfile(
  deps: Pick<Scope, "db" | "config" | "clock">,
  userId: string,
  { display_name: displayName }: ProfileChange,
): Promise<Me> {
  await updateDisplayName(deps.db, { userId, displayName, now: unixNow(deps.clock) });
  return getMe(deps, userId);
}

/** @throws SigninError `session_expired` if the account was deleted */
export async function listProviders(
  { db, providers }: Pick<Scope, "db" | "providers">,
  userId: string,
): Promise<ProviderList> {
  const { connections } = await getAccount(db, userId);
  const logins = providers.list().map(({ slug, kind }) => ({
    slug,
    kind,
    can_sign_in: true,
    connected: connections.some(({ provider, isKey }) => !isKey && provider === slug),
  }));
  const keys = API_KEY_PROVIDERS.map((slug) => {
    const found = connections.find(({ provider, isKey }) => isKey && provider === slug);
    return {
      slug,
      kind: "api_key" as const,
      can_sign_in: false,
      connected: found !== undefined,
      ...(found ? { hint: found.hint ?? "" } : {}),
    };
  });
  return { providers: [...logins, ...keys] };
}

async function getAccount(db: Scope["db"], userId: string): Promise<AccountState> {
  const account = await findAccount(db, userId);
  if (!account) throw failure("session_expired");
  return account;
}

function toConnection(
  { provider, hint, connectedAt, isKey }: AccountState["connections"][number],
  { slugs }: Pick<SigninConfig, "slugs">,
): Connection {
  const login = provider === slugs.oidc ? "oidc" : "oauth";
  return {
    provider,
    kind: isKey ? "api_key" : login,
    connected_at: connectedAt,
    ...(hint === null ? {} : { hint }),
  };
}
