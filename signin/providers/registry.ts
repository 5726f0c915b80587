import type { SigninDeps } from "../deps.ts";
import { createOauthProvider } from "./oauth.ts";
import { createOidcProvider } from "./oidc.ts";
import type { LoginProvider } from "./provider.ts";

/** The providers that sign people in under this configuration; one that is not configured does not exist. */
export interface LoginProviders {
  find(slug: string): LoginProvider | undefined;
  list(): readonly LoginProvider[];
}

export type ProviderDeps = Pick<SigninDeps, "config" | "clock" | "fetch">;

export function createLoginProviders(deps: ProviderDeps): LoginProviders {
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
