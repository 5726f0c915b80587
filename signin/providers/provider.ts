import type { Clock } from "../../shared/clock.ts";
import type { SigninConfig } from "../config/config.ts";
import type { AddressRule } from "../config/presets.ts";
import type { LoginProviderConfig, ProviderName } from "../config/provider-config.ts";
import type { EmailAddress } from "../mail/email-address.ts";

/** A verified identity. `subject` is stable. */
export interface VerifiedIdentity {
  subject: string;
  /** The address that counts: verified, of a provider that is believed. Without one a first sign-in makes no account at once. */
  email: EmailAddress | undefined;
  /** The address that the provider reports, for a form. */
  claimedEmail: string | undefined;
  displayName: string | undefined;
  avatarUrl: string | undefined;
}

/** The values of a flow at its start. */
export interface AuthorizationInput {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether the provider should let the user choose an account, if it can: for a link and a native sign-in. */
  asksAccount: boolean;
}

/** The values of a flow at its callback. */
export interface CallbackInput {
  /** The query of the callback. */
  parameters: URLSearchParams;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A provider that signs users in. It caches values (metadata, keys), never promises. */
export interface LoginProvider extends ProviderName {
  addresses: AddressRule;
  /** Whether it posts its callback (`form_post`), as Apple does. */
  postsCallback: boolean;
  /**
   * The address to send the browser to.
   * @throws SigninError `provider_error`, `provider_unavailable`
   */
  authorizationUrl(input: AuthorizationInput): Promise<string>;
  /**
   * Trades the callback's code for the user's identity.
   * @throws SigninError `access_denied`, `identity_rejected`, `email_unverified`, `provider_error`, `provider_unavailable`
   */
  exchange(input: CallbackInput): Promise<VerifiedIdentity>;
}

/** The dependencies of a provider. */
export interface ProviderDeps {
  config: Pick<SigninConfig, "baseUrl">;
  clock: Clock;
  fetch: typeof fetch;
}

/** What a provider shows of its configuration. */
export function nameOf(
  config: LoginProviderConfig,
): Omit<LoginProvider, "authorizationUrl" | "exchange" | "postsCallback"> {
  const { kind, slug, label, issuer, acceptsIssuerChange, variables, addresses } = config;
  return { kind, slug, label, issuer, acceptsIssuerChange, variables, addresses };
}
