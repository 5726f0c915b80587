/** The kinds of notices that are mailed to an account. */
export type NoticeKind =
  | "identity_linked"
  | "identity_removed"
  | "passkey_added"
  | "passkey_removed"
  | "password_set"
  | "password_changed"
  | "api_key_connected"
  | "api_key_removed";

/** The facts of a notice. Times are ISO 8601 in UTC. */
export interface NoticeFacts {
  kind: NoticeKind;
  baseUrl: string;
  at: string;
  /** The client's network; null where it is unknown. */
  network: string | null;
  /** The provider of an identity or key. */
  provider: string;
  hasPassword: boolean;
  logins: readonly { provider: string; since: string }[];
  passkeys: readonly { provider: string; since: string }[];
  apiKeys: readonly { provider: string; since: string }[];
}

/** The notices in one language. Each language is one file with one value of this type. */
export interface NoticeTexts {
  subject: Record<NoticeKind, string>;
  /** Paragraphs of plain text. */
  paragraphs(facts: NoticeFacts): string[];
}
