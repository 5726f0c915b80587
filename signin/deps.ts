import type { Bytes } from "../shared/bytes.ts";
import type { Clock } from "../shared/clock.ts";
import type { Database } from "../shared/database.ts";
import type { Logger } from "../shared/log.ts";
import type { AuditEvent, AuditSink } from "./audit/audit.ts";
import type { ClientInfo } from "./audit/client-info.ts";
import type { SigninConfig } from "./config/config.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { PasswordHasher } from "./passwords/hasher.ts";
import type { LoginProviders } from "./providers/registry.ts";
import type { RateLimiter } from "./rate-limits/rate-limiter.ts";
import type { AccessTokens } from "./tokens/access-token.ts";
import type { HmacSha256, Keyring } from "./tokens/keyring.ts";

/** The complete list of what the sign-in server needs from outside; each runtime has its own. It lives as long as the program. */
export interface SigninDeps {
  config: SigninConfig;
  /** On Workers a client of this request alone; on Node the one database each time, whose `close` does nothing. */
  openDb(): RequestDatabase;
  /** The audit trail over the request's database. */
  openAudit(db: Database): AuditSink;
  /** The counters; the durable ones over the request's database. */
  openRateLimiter(db: Database): RateLimiter;
  clock: Clock;
  random(byteCount: number): Bytes;
  /** HMAC-SHA256 done at once; WebCrypto where it is left out. */
  hmac?: HmacSha256 | undefined;
  /** For calls to providers. */
  fetch: typeof fetch;
  log: Logger;
  mailer: Mailer;
  hasher: PasswordHasher;
}

export interface RequestDatabase {
  db: Database;
  close(): void;
}

/** What only the runtime knows of a request. */
export interface RequestOrigin {
  /** The address of the peer (Node: the socket; Workers: `CF-Connecting-IP`). */
  address?: string | undefined;
  /** The `Host` header as it came; a request line in absolute form hides it from the URL. The header itself by default. */
  host?: string | undefined;
  /** Whether `address` is the client's own already, so that `X-Forwarded-For` does not count. */
  addressIsFinal?: boolean | undefined;
  /** What the runtime has to check first; a SigninError that it throws is the answer. */
  before?: (() => Promise<void>) | undefined;
  /** Keeps a Worker alive until the work is done; where it is missing, the process lives anyway. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** What a request may touch. Rules take a narrow `Pick` of it, so tests hand in little. */
export interface Scope
  extends Pick<SigninDeps, "config" | "clock" | "random" | "fetch" | "log" | "mailer" | "hasher"> {
  keyring: Keyring;
  accessTokens: AccessTokens;
  providers: LoginProviders;
  db: Database;
  rateLimiter: RateLimiter;
  client: ClientInfo;
  /** Adds an event of this client to the audit trail, in the background. */
  record(event: Omit<AuditEvent, "client">): void;
  /** Work that the answer does not wait for; the database stays open until it is done. */
  background(work: Promise<unknown>): void;
}
