import type { Clock } from "../../shared/clock.ts";
import type { SigninConfig } from "../config/config.ts";

/** What a provider says of a person, checked: `subject` is stable, `email` is one that the provider reports as verified. */
export interface VerifiedIdentity {
  subject: string;
  /** Undefined where the provider reports none as verified: then the identity can sign in, and not sign up. */
  email: string | undefined;
  displayName: string | undefined;
  avatarUrl: string | undefined;
}

/** What a flow needs at its start. */
export interface AuthorizationInput {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Whether the provider should ask which account to take, where it can: for a link and a native sign-in. */
  asksAccount: boolean;
}

/** What a flow needs at its callback. */
export interface CallbackInput {
  /** The query of the callback. */
  parameters: URLSearchParams;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A provider that signs people in. It holds values that are worth keeping (metadata, keys), never requests. */
export interface LoginProvider {
  slug: string;
  kind: "oidc" | "oauth";
  /** Whose subjects these are: two issuers may give one subject to two people. */
  issuer: string;
  /** Whether the operator takes the subjects of an earlier issuer for those of this one. */
  acceptsIssuerChange: boolean;
  /**
   * The address to send the browser to.
   * @throws SigninError `provider_error`, `provider_unavailable`
   */
  authorizationUrl(input: AuthorizationInput): Promise<string>;
  /**
   * Trades the callback's code for who the person is.
   * @throws SigninError `access_denied`, `identity_rejected`, `email_unverified`, `provider_error`, `provider_unavailable`
   */
  exchange(input: CallbackInput): Promise<VerifiedIdentity>;
}

/** What a provider needs of the program. */
export interface ProviderDeps {
  config: Pick<SigninConfig, "baseUrl">;
  clock: Clock;
  fetch: typeof fetch;
}
