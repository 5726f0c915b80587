import { createHmac } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { randomBytes } from "../../shared/random.ts";
import { createDatabaseAudit } from "../audit/database-audit.ts";
import type { SigninConfig } from "../config/config.ts";
import type { SigninDeps } from "../deps.ts";
import { HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from "../limits.ts";
import { createFairQueue } from "../passwords/hash-queue.ts";
import type { PasswordHasher } from "../passwords/hasher.ts";
import { deriveWithScrypt } from "../passwords/scrypt.ts";
import { createScryptHasher } from "../passwords/scrypt-hasher.ts";
import { createDatabaseLimiter } from "../rate-limits/database-limiter.ts";
import { createMemoryLimiter } from "../rate-limits/memory-limiter.ts";
import { createLayeredLimiter } from "../rate-limits/rate-limiter.ts";
import {
  meterAudit,
  meterDatabase,
  meterDerive,
  meterLimiter,
  meterMailer,
  meterQueue,
} from "./metered-parts.ts";
import type { Metrics } from "./metrics.ts";
import { createNodeMailer } from "./node-mailer.ts";

/** The dependencies of the sign-in server on Node: one database for all requests. */
export function createNodeDeps(config: SigninConfig, db: Database, log: Logger): SigninDeps {
  const clock = systemClock;
  const audit = createDatabaseAudit({ db, clock, log, fullAddresses: config.auditFullIp });
  const rateLimiter = createLayeredLimiter({
    durable: createDatabaseLimiter(db, clock),
    transient: createMemoryLimiter(clock),
  });
  const open = { db, close: () => {} };
  return {
    config,
    openDb: () => open,
    openAudit: () => audit,
    openRateLimiter: () => rateLimiter,
    clock,
    random: randomBytes,
    hmac: (key, data) => createHmac("sha256", key).update(data).digest(),
    fetch: globalThis.fetch,
    log,
    mailer: createNodeMailer(config),
    hasher: createNodeHasher(),
    // Tests send hundreds of mails.
    pause: config.env === "test" ? undefined : (ms) => setTimeout(ms),
  };
}

/** The same dependencies, counted and timed for `GET /metrics`. */
export function meterDeps(deps: SigninDeps, metrics: Metrics): SigninDeps {
  const { db } = deps.openDb();
  const open = { db: meterDatabase(db, metrics), close: () => {} };
  const audit = meterAudit(deps.openAudit(db), metrics);
  const rateLimiter = meterLimiter(deps.openRateLimiter(db), metrics);
  return {
    ...deps,
    openDb: () => open,
    openAudit: () => audit,
    openRateLimiter: () => rateLimiter,
    mailer: meterMailer(deps.mailer, metrics),
    hasher: createNodeHasher(metrics),
    onRotation: metrics.countRotation,
  };
}

function createNodeHasher(metrics?: Metrics): PasswordHasher {
  const queue = createFairQueue({
    // One core stays free for other work.
    atOnceMax: Math.max(1, Math.min(HASHES_AT_ONCE_MAX, availableParallelism() - 1)),
    waitingMax: HASHES_WAITING_MAX,
  });
  if (!metrics) return createScryptHasher({ derive: deriveWithScrypt, queue });
  return createScryptHasher({
    derive: meterDerive(deriveWithScrypt, metrics),
    queue: meterQueue(queue, metrics),
  });
}
