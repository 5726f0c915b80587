import { withoutTrailing } from "../../shared/without-trailing.ts";
import { toIssuer } from "./addresses.ts";
import { toPresetLabel } from "./presets.ts";
import type { LoginProviderConfig } from "./provider-config.ts";
import type { Variables } from "./variables.ts";

/** The specified pair of providers (Sign-in §1), where both of its variables are set. */
export function toSpecifiedProviders(env: Variables): LoginProviderConfig[] {
  const {
    OIDC_PROVIDER_CLIENT_ID: oidcId,
    OIDC_PROVIDER_CLIENT_SECRET: oidcSecret,
    OAUTH_PROVIDER_CLIENT_ID: oauthId,
    OAUTH_PROVIDER_CLIENT_SECRET: oauthSecret,
  } = env;
  const providers: LoginProviderConfig[] = [];
  if (oidcId !== undefined && oidcSecret !== undefined) {
    const issuer = toIssuer(env.OIDC_PROVIDER_ISSUER);
    providers.push({
      kind: "oidc",
      slug: env.OIDC_PROVIDER_SLUG,
      label: toPresetLabel(env.OIDC_PROVIDER_SLUG),
      variables: "OIDC_PROVIDER",
      preset: undefined,
      clientId: oidcId,
      clientSecret: oidcSecret,
      issuer,
      metadataIssuer: issuer,
      acceptsIssuerChange: env.OIDC_PROVIDER_ISSUER_CHANGED === "accept",
      tokenAuth: env.OIDC_PROVIDER_TOKEN_AUTH,
      scope: "openid email profile",
      addresses: "required",
      tenants: [],
      appleKey: undefined,
    });
  }
  if (oauthId !== undefined && oauthSecret !== undefined) {
    providers.push({
      kind: "oauth",
      slug: env.OAUTH_PROVIDER_SLUG,
      label: toPresetLabel(env.OAUTH_PROVIDER_SLUG),
      variables: "OAUTH_PROVIDER",
      preset: "github",
      clientId: oauthId,
      clientSecret: oauthSecret,
      // The API's origin is the issuer: its user ids are the subjects.
      issuer: new URL(env.OAUTH_PROVIDER_API_URL).origin,
      acceptsIssuerChange: env.OAUTH_PROVIDER_ISSUER_CHANGED === "accept",
      authorizeUrl: env.OAUTH_PROVIDER_AUTHORIZE_URL,
      tokenUrl: env.OAUTH_PROVIDER_TOKEN_URL,
      apiUrl: withoutTrailing(env.OAUTH_PROVIDER_API_URL, "/"),
      tokenAuth: "post",
      scope: "read:user user:email",
      addresses: "required",
    });
  }
  return providers;
}
