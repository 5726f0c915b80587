import type { OidcProviderConfig } from "../config.ts";
import type { LoginProvider } from "./provider.ts";
import type { ProviderDeps } from "./registry.ts";

export function createOidcProvider(_deps: ProviderDeps, config: OidcProviderConfig): LoginProvider {
  throw new Error(config.slug);
}
