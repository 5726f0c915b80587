import type { SigninConfig } from "../config/config.ts";
import { createOauthProvider } from "./oauth.ts";
import { createOidcProvider } from "./oidc.ts";
import type { LoginProvider, ProviderDeps } from "./provider.ts";

/** The configured login providers, each with metadata and keys of its own: one that is down costs the others nothing. */
export interface LoginProviders {
  find(slug: string): LoginProvider | undefined;
  list(): readonly LoginProvider[];
}

export function createLoginProviders(
  deps: ProviderDeps & { config: Pick<SigninConfig, "providers"> },
): LoginProviders {
  const providers = deps.config.providers.map((config) =>
    config.kind === "oidc" ? createOidcProvider(deps, config) : createOauthProvider(deps, config),
  );
  return {
    find: (slug) => providers.find((provider) => provider.slug === slug),
    list: () => providers,
  };
}
