/** Why a token is rejected. */
export type RejectionReason = keyof typeof SENTENCES;

const SENTENCES = {
  malformed: "it is no access token of a sign-in server",
  algorithm: "it is not signed with EdDSA",
  signature: "no published key made its signature",
  expired: "it has expired",
  not_yet_valid: "it is not valid yet",
  issuer: "another server issued it",
  audience: "it is for another audience",
  type: "it is not of the type at+jwt",
  keys_unavailable: "the keys of the issuer cannot be fetched",
} as const;

/** A token that is not accepted. Neither `message` nor `cause` holds any of the token. */
export class TokenRejected extends Error {
  override name = "TokenRejected";
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, options?: ErrorOptions) {
    super(`The token was rejected: ${SENTENCES[reason]}.`, options);
    this.reason = reason;
  }
}
