import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

// The whole data model of the sign-in server. Times are unix seconds. Raw secrets have no column: a secret that is compared
// is hashed, one that is used again is sealed. Four columns keep the short names of the first release: during a deployment
// the version before still uses them.

export const users = sqliteTable("users", {
  id: text().primaryKey(),
  /** As the user or the provider wrote it. */
  email: text().notNull(),
  /** Lower case: one account for each address. */
  emailNorm: text().notNull().unique(),
  displayName: text(),
  avatarUrl: text(),
  passwordHash: text(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  /** When an operator disabled the account: it begins no session. */
  disabledAt: integer(),
});

const userId = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** Login identities: the provider's stable subject, never an e-mail address, finds the account. */
export const identities = sqliteTable(
  "identities",
  {
    provider: text().notNull(),
    subject: text().notNull(),
    userId: userId(),
    /** The address that the provider reported as verified at the link, or at the last change of address. */
    emailAtLink: text(),
    linkedAt: integer().notNull(),
    /** The issuer of the subject. Null in rows that are older than the column, until an issuer takes them over. */
    issuer: text(),
    /** Whether a session without fresh proof linked it: sign-ins with it give no fresh proof until one confirms it. */
    isUnconfirmed: integer({ mode: "boolean" }),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    uniqueIndex("identities_user_provider").on(table.userId, table.provider),
    index("identities_issuer").on(table.provider, table.issuer),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    userId: userId(),
    provider: text().notNull(),
    /** An envelope of the sealed box, under `signin|api_key|<user>|<provider>`. */
    ciphertext: text().notNull(),
    keyId: text().notNull(),
    hint: text().notNull(),
    connectedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.provider] }),
    index("api_keys_key").on(table.keyId),
  ],
);

/** States of flows and challenges of passkeys that were answered: each is good once. Until then no row has them. */
export const usedNonces = sqliteTable(
  "used_nonces",
  {
    /** SHA-256, in base64url. */
    nonceHash: text().primaryKey(),
    expiresAt: integer().notNull(),
  },
  (table) => [index("used_nonces_expiry").on(table.expiresAt)],
);

export const nativeCodes = sqliteTable(
  "native_codes",
  {
    codeHash: text().primaryKey(),
    userId: userId(),
    codeChallenge: text().notNull(),
    expiresAt: integer().notNull(),
    consumedAt: integer(),
    /** The session that the code began: a replay revokes it. */
    sessionId: text(),
    /** The provider of the sign-in. */
    provider: text(),
  },
  (table) => [
    index("native_codes_expiry").on(table.expiresAt),
    index("native_codes_user").on(table.userId),
  ],
);

export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    userId: userId(),
    kind: text({ enum: ["browser", "native", "password", "code"] }).notNull(),
    /** The generation of the current refresh token. */
    counter: integer().notNull(),
    rotatedAt: integer().notNull(),
    createdAt: integer().notNull(),
    /** The last fresh proof of the account: the sign-in, or a later one. Null if the sign-in was none. */
    provenAt: integer(),
    /** How it was proven, as the claim `amr` lists it (RFC 8176), in one text with blanks. Null if nothing of it applies. */
    amr: text(),
    /** The identity or the passkey that began it: the removal of that ends it. */
    provider: text(),
    passkeyId: text(),
    lastSeenAt: integer().notNull(),
    idleExpiresAt: integer().notNull(),
    expiresAt: integer().notNull(),
    revokedAt: integer(),
    revokeReason: text(),
    ipPrefix: text(),
    userAgent: text(),
    label: text(),
  },
  (table) => [
    index("sessions_user").on(table.userId, table.createdAt),
    index("sessions_expiry").on(table.expiresAt),
  ],
);

export const emailCodes = sqliteTable(
  "email_codes",
  {
    id: text().primaryKey(),
    purpose: text({
      enum: ["signup", "reset", "login", "password", "email", "delete", "reauthenticate"],
    }).notNull(),
    /** The address; of a code that a signed-in user asked for, the id of the account. */
    emailNorm: text().notNull(),
    /** Empty if no code is good: the address has no account, or has one. */
    codeHmac: text().notNull(),
    /** Whether it has 26 characters, too many to guess, in place of eight digits. */
    isLong: integer({ mode: "boolean" }).notNull().default(false),
    /** Wrong guesses at a code of eight digits. */
    attempts: integer().notNull(),
    expiresAt: integer().notNull(),
    consumedAt: integer(),
    supersededAt: integer(),
  },
  (table) => [
    index("email_codes_address").on(table.emailNorm, table.purpose),
    index("email_codes_expiry").on(table.expiresAt),
  ],
);

/** The public part of each credential; its private key never leaves the authenticator (WebAuthn, section 6). */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    userId: userId(),
    /** The authenticator's id of the credential, in base64url. */
    credentialId: text().notNull().unique(),
    /** The COSE key, in base64url. */
    publicKey: text().notNull(),
    counter: integer().notNull(),
    /** A passkey of another relying party cannot sign in. */
    rpId: text().notNull(),
    backupEligible: integer({ mode: "boolean" }).notNull(),
    backedUp: integer({ mode: "boolean" }).notNull(),
    /** JSON list: how a browser reaches the authenticator. */
    transportsJson: text().notNull(),
    label: text().notNull(),
    createdAt: integer().notNull(),
    lastUsedAt: integer(),
  },
  (table) => [index("passkeys_user").on(table.userId, table.createdAt)],
);

/** The authenticator app of an account (RFC 6238). It waits until a code of it switches the second factor on. */
export const secondFactors = sqliteTable(
  "second_factors",
  {
    userId: text()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The secret: an envelope of the sealed box, under `signin|totp|<user>`. */
    ciphertext: text().notNull(),
    keyId: text().notNull(),
    /** When a code switched it on; null until then. */
    enabledAt: integer(),
    /** How long it waits for that. */
    expiresAt: integer().notNull(),
    /** The time step of the last accepted code: codes of it and of earlier ones are used up. */
    lastStep: integer().notNull().default(0),
    /** Wrong codes since the last right one. */
    wrongInARow: integer().notNull().default(0),
    /** Guesses in the hour that began then: at codes of the app, and at recovery codes. */
    codesAt: integer().notNull().default(0),
    codes: integer().notNull().default(0),
    recoveriesAt: integer().notNull().default(0),
    recoveries: integer().notNull().default(0),
  },
  (table) => [index("second_factors_key").on(table.keyId)],
);

/** Unused recovery codes of second factors. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    /** SHA-256 of the account and the code, in base64url: 80 random bits need no slow hash. */
    codeHash: text().primaryKey(),
    userId: userId(),
  },
  (table) => [index("recovery_codes_user").on(table.userId)],
);

/** Addresses that an operator invited: each may sign up until its end, once. */
export const invitations = sqliteTable(
  "invitations",
  {
    emailNorm: text().primaryKey(),
    expiresAt: integer().notNull(),
  },
  (table) => [index("invitations_expiry").on(table.expiresAt)],
);

/** Counters of the rate limiter. */
export const rateLimits = sqliteTable(
  "rate_limits",
  {
    key: text("k").primaryKey(),
    windowStart: integer("ws").notNull(),
    count: integer("n").notNull(),
  },
  (table) => [index("rate_limits_window").on(table.windowStart)],
);

/** No reference to users: the trail outlives them. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    type: text().notNull(),
    userId: text(),
    sessionId: text(),
    ipPrefix: text(),
    userAgent: text("ua"),
    outcome: text({ enum: ["success", "failure"] }).notNull(),
    detailJson: text(),
    requestId: text(),
  },
  (table) => [
    index("audit_events_user").on(table.userId, table.at),
    index("audit_events_time").on(table.at),
  ],
);

export type UserRow = typeof users.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;
export type NativeCodeRow = typeof nativeCodes.$inferSelect;
export type PasskeyRow = typeof passkeys.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
export type AuditEventRow = typeof auditEvents.$inferSelect;
