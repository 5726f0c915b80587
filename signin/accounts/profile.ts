import type { SigninConfig } from "../config/config.ts";
import { PRESETS } from "../config/presets.ts";
import { API_KEY_LABELS, API_KEY_PROVIDERS } from "../config/variables.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { type AccountState, findAccount, updateDisplayName } from "./store.ts";
import type { Connection, Me, ProfileChange, ProviderList } from "./wire.ts";

/** @throws SigninError `session_expired` if the account was deleted */
export async function getMe(
  { db, config }: { db: Scope["db"]; config: ConnectionConfig },
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
  const logins = providers.list().map(({ slug, kind, label }) => ({
    slug,
    kind,
    label,
    can_sign_in: true,
    connected: connections.some(({ provider, isKey }) => !isKey && provider === slug),
  }));
  const keys = API_KEY_PROVIDERS.map((slug) => {
    const found = connections.find(({ provider, isKey }) => isKey && provider === slug);
    return {
      slug,
      kind: "api_key" as const,
      label: API_KEY_LABELS[slug],
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
  config: ConnectionConfig,
): Connection {
  return {
    provider,
    kind: isKey ? "api_key" : toKind(provider, config),
    connected_at: connectedAt,
    ...(hint === null ? {} : { hint }),
  };
}

type ConnectionConfig = Pick<SigninConfig, "slugs" | "providers">;

/** Also of a provider that is configured no longer: by its preset, or as one of the specified pair. */
function toKind(slug: string, { slugs, providers }: ConnectionConfig): "oidc" | "oauth" {
  const configured = providers.find((provider) => provider.slug === slug);
  const preset = Object.entries(PRESETS).find(([name]) => name === slug)?.[1];
  return (configured ?? preset)?.kind ?? (slug === slugs.oidc ? "oidc" : "oauth");
}
