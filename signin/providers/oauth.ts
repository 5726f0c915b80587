import type { OAuthProviderConfig } from "../config.ts";
import type { LoginProvider } from "./provider.ts";
import type { ProviderDeps } from "./registry.ts";

export function createOauthProvider(
  _deps: ProviderDeps,
  config: OAuthProviderConfig,
): LoginProvider {
  throw new Error(config.slug);
}
