/**
 * Parts that several mails share, by the words they are made of: the mailed code, when and where something happened, the present
 * ways to sign in, and what to do if it was not the owner.
 */
export type SharedPart = "code" | "when" | "ways" | "remedy" | "newPassword" | "intruder";

const CODE = ["code"] as const;
const CODE_OF_SESSION = ["code", "intruder"] as const;
const CHANGE = ["when", "ways", "remedy"] as const;
const NEW_PASSWORD = ["when", "ways", "newPassword"] as const;

/**
 * Every mail that the server sends, but for the operator's test, and the shared parts of each: they stand behind the first
 * paragraph of its own.
 */
export const SHARED_PARTS = {
  signup_code: CODE,
  /** For an address that has an account: only its owner learns that it does. */
  account_exists: [],
  /** By the operator's command. */
  invitation: [],
  reset_code: CODE,
  login_code: CODE,
  password_code: CODE_OF_SESSION,
  delete_code: CODE_OF_SESSION,
  reauthentication_code: CODE_OF_SESSION,
  /** To the new address. */
  email_code: CODE,
  /** To the owner of an address that another account asked for. */
  email_taken: [],
  /** To the present address, when a code goes to another one. */
  email_requested: ["when", "remedy"],
  /** To the former address; it may belong to another person by now, so the new one is not in it. */
  email_changed_from: ["when"],
  email_changed_to: ["when"],
  /** The same two if the provider reported another address. */
  provider_email_from: [],
  provider_email_to: [],
  identity_linked: CHANGE,
  identity_removed: CHANGE,
  passkey_added: CHANGE,
  passkey_removed: CHANGE,
  second_factor_enabled: CHANGE,
  second_factor_disabled: CHANGE,
  /** By the operator's command. */
  second_factor_reset: [],
  recovery_code_used: CHANGE,
  recovery_codes_created: CHANGE,
  api_key_connected: CHANGE,
  api_key_removed: CHANGE,
  new_device: CHANGE,
  /** With a mailed code: the first password, and another one. */
  password_set: NEW_PASSWORD,
  password_changed: NEW_PASSWORD,
  /** With the old password. */
  password_replaced: NEW_PASSWORD,
  account_deleted: ["when"],
} as const satisfies Record<string, readonly SharedPart[]>;

/** The kinds of mails. */
export type MailKind = keyof typeof SHARED_PARTS;
