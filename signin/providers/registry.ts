import type { SigninConfig } from "../config/config.ts";
import { createOauthProvider } from "./oauth.ts";
import { createOidcProvider } from "./oidc.ts";
import type { LoginProvider, ProviderDeps } from "./provider.ts";

/** The configured login providers. */
export interface LoginProviders {
  find(slug: string): LoginProvider | undefined;
  list(): readonly LoginProvider[];
}

export function createLoginProviders(
  deps: ProviderDeps & { config: Pick<SigninConfig, "oidc" | "oauth"> },
): LoginProviders {
  const { oidc, oauth } = deps.config;
  const providers = [
    ...(oidc ? [createOidcProvider(deps, oidc)] : []),
    ...(oauth ? [createOauthProvider(deps, oauth)] : []),
  ];
  return {
    find: (slug) => providers.find((provider) => provider.slug === slug),
    list: () => providers,
  };
}
