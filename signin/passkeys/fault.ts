/** The check of WebAuthn that a response of an authenticator did not pass. */
type PasskeyRule =
  | "credential"
  | "client_data"
  | "type"
  | "challenge"
  | "origin"
  | "cross_origin"
  | "attestation"
  | "authenticator_data"
  | "rp_id"
  | "user_presence"
  | "user_verification"
  | "backup_flags"
  | "public_key"
  | "unknown_passkey"
  | "user_handle"
  | "signature"
  | "counter";

/** A response that breaks a rule. Callers turn it into the failure of their route; the message is for the log. */
export class PasskeyFault extends Error {
  override name = "PasskeyFault";
  readonly rule: PasskeyRule;

  constructor(rule: PasskeyRule, message: string) {
    super(`${rule}: ${message}`);
    this.rule = rule;
  }
}
