import type { Bytes } from "../shared/bytes.ts";
import type { Clock } from "../shared/clock.ts";
import type { Database } from "../shared/database.ts";
import type { Logger } from "../shared/log.ts";
import type { AuditEvent, AuditSink } from "./audit/audit.ts";
import type { ClientInfo } from "./audit/client-info.ts";
import type { SigninConfig } from "./config/config.ts";
import type { RelyingParty } from "./config/relying-party.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { PasswordHasher } from "./passwords/hasher.ts";
import type { LoginProviders } from "./providers/registry.ts";
import type { RateLimiter } from "./rate-limits/rate-limiter.ts";
import type { AccessTokens } from "./tokens/access-token.ts";
import type { Keyring } from "./tokens/keyring.ts";
import type { HmacSha256 } from "./tokens/mac.ts";

/** All dependencies of the sign-in server. Each runtime supplies its own. They live as long as the program. */
export interface SigninDeps {
  config: SigninConfig;
  /** On Workers a client of this request alone. On Node the one database, and `close` does nothing. */
  openDb(): RequestDatabase;
  /** The audit trail over the request's database. */
  openAudit(db: Database): AuditSink;
  /** The counters. The durable ones are in the request's database. */
  openRateLimiter(db: Database): RateLimiter;
  clock: Clock;
  random(byteCount: number): Bytes;
  /** Synchronous HMAC-SHA256; WebCrypto where it is left out. */
  hmac?: HmacSha256 | undefined;
  /** For calls to providers. */
  fetch: typeof fetch;
  log: Logger;
  mailer: Mailer;
  hasher: PasswordHasher;
  /** Waits before the work for a mailed code; not at all if it is left out. */
  pause?: ((ms: number) => Promise<void>) | undefined;
  /** Called for each refresh token that got a successor. The trail has one in 16 of them. */
  onRotation?: (() => void) | undefined;
}

export interface RequestDatabase {
  db: Database;
  close(): void;
}

/** The part of a request that only the runtime knows. */
export interface RequestOrigin {
  /** The address of the peer (Node: the socket; Workers: `CF-Connecting-IP`). */
  address?: string | undefined;
  /** The `Host` header as sent: a request line in absolute form replaces it in the URL. The request's header by default. */
  host?: string | undefined;
  /** Whether `address` is the client's own, so that `X-Forwarded-For` is ignored. */
  addressIsFinal?: boolean | undefined;
  /** The runtime's own check, before all others. A SigninError of it is the response. */
  before?: (() => Promise<void>) | undefined;
  /** Keeps a Worker alive until the work has ended. A process needs none. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** The dependencies of one request. Rules take a narrow `Pick` of it, so that tests pass little. */
export interface Scope
  extends Pick<
    SigninDeps,
    "config" | "clock" | "random" | "fetch" | "log" | "mailer" | "hasher" | "pause" | "onRotation"
  > {
  keyring: Keyring;
  accessTokens: AccessTokens;
  providers: LoginProviders;
  /** @throws SigninError `passkeys_unavailable` */
  relyingParty(): RelyingParty;
  db: Database;
  rateLimiter: RateLimiter;
  client: ClientInfo;
  /** Adds an event of this client to the audit trail, in the background. */
  record(event: Omit<AuditEvent, "client">): void;
  /** Work that the response does not wait for. The database stays open until it has ended. */
  background(work: Promise<unknown>): void;
}
