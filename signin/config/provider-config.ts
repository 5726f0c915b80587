import type { AddressRule, Preset } from "./presets.ts";

/** What names a login provider, whatever its kind. */
export interface ProviderName {
  kind: "oidc" | "oauth";
  slug: string;
  /** Its name for people. */
  label: string;
  /** The issuer of the subjects, which identities keep: two issuers may give one subject to two users. */
  issuer: string;
  /** Whether the operator treats the subjects of an earlier issuer as those of this one. */
  acceptsIssuerChange: boolean;
  /** How the names of its variables begin: `OIDC_PROVIDER`, `PROVIDER_ACME`. */
  variables: string;
}

interface ProviderConfig extends ProviderName {
  /** Undefined if every value comes from the operator. */
  preset: Preset | undefined;
  clientId: string;
  /** Empty if the secret is made at each use, from `appleKey`. */
  clientSecret: string;
  /** Separated by blanks. */
  scope: string;
  addresses: AddressRule;
  /** How the token endpoint gets the secret. Undefined if the provider's metadata decide it. */
  tokenAuth: "basic" | "post" | undefined;
}

/** An OpenID Connect provider. */
export interface OidcProviderConfig extends ProviderConfig {
  kind: "oidc";
  /** The issuer that has the metadata: `issuer`, but for Microsoft's, whose `issuer` is a template. */
  metadataIssuer: string;
  /** Microsoft's: those that `tid` must be of, all of them. */
  tenants: readonly string[];
  appleKey: AppleKey | undefined;
}

/** What signs Apple's client secrets. */
export interface AppleKey {
  teamId: string;
  keyId: string;
  /** PKCS #8 of a P-256 key, in base64. */
  privateKey: string;
}

/** An OAuth 2.0 provider. */
export interface OAuthProviderConfig extends ProviderConfig {
  kind: "oauth";
  authorizeUrl: string;
  tokenUrl: string;
  apiUrl: string;
}

/** A provider that signs users in. */
export type LoginProviderConfig = OidcProviderConfig | OAuthProviderConfig;
