import { isLoopback, toClientKey } from "../audit/address.ts";
import type { AuditSink } from "../audit/audit.ts";
import type { ClientInfo } from "../audit/client-info.ts";
import { rateLimited } from "../errors.ts";
import { RATE_LIMITS, type RateLimitBucket } from "../limits.ts";
import type { RateDecision, RateLimiter } from "./rate-limiter.ts";

/** The two kinds of counters; Workers have the durable ones for both. */
export interface RateLimiters {
  /** Survive a restart: whatever guards passwords and codes. */
  durable: RateLimiter;
  /** May begin anew: whatever guards only the load. */
  transient: RateLimiter;
  /**
   * Whether requests from this very machine are counted by address. In development everybody is at 127.0.0.1, and a
   * counter by address would count them all as one.
   */
  countLoopback: boolean;
}

/** What a guard needs. */
export interface GuardDeps {
  rateLimits: RateLimiters;
  audit: AuditSink;
}

const DURABLE: ReadonlySet<RateLimitBucket> = new Set([
  "loginPerEmailAndIp",
  "loginPerEmail",
  "loginPerIp",
  "codePerEmailMinute",
  "codePerEmailHour",
  "codePerEmailDay",
  "codePerIp",
  "codeAttemptsPerEmail",
]);

/** What is counted: `value` tells one from another within the bucket, where the bucket does not go by address alone. */
export interface Counted {
  bucket: RateLimitBucket;
  value?: string;
  client: ClientInfo;
}

/**
 * Counts one request and lets it through, or not. Buckets named `…PerIp` and `…AndIp` go by the client's address.
 * @throws SigninError `rate_limited`
 */
export async function requireWithinLimit(deps: GuardDeps, counted: Counted): Promise<void> {
  const decision = await countRequest(deps, counted);
  if (!decision.ok) throw rateLimited(decision.retryAfterSeconds);
}

/** As `requireWithinLimit`, for who decides alone what a refusal means. */
export async function countRequest(deps: GuardDeps, counted: Counted): Promise<RateDecision> {
  const { bucket, client } = counted;
  const goesByAddress = bucket.endsWith("Ip");
  const exempt = goesByAddress && !deps.rateLimits.countLoopback && isLoopback(client.address);
  if (exempt && counted.value === undefined) return { ok: true };
  const decision = await limiterOf(deps, bucket).consume(keyOf(counted), RATE_LIMITS[bucket]);
  // Once a window: who is refused must not be able to fill the trail.
  if (!decision.ok && decision.isFirstRefusal) {
    await deps.audit.record({
      type: "ratelimit.hit",
      outcome: "failure",
      client,
      detail: { bucket },
    });
  }
  return decision;
}

/** Forgets what was counted, as after a sign-in that succeeded. */
export async function clearCount(deps: GuardDeps, counted: Counted): Promise<void> {
  await limiterOf(deps, counted.bucket).clear(keyOf(counted));
}

function limiterOf({ rateLimits }: GuardDeps, bucket: RateLimitBucket): RateLimiter {
  return DURABLE.has(bucket) ? rateLimits.durable : rateLimits.transient;
}

function keyOf({ bucket, value, client }: Counted): string {
  const parts = [value, bucket.endsWith("Ip") ? toClientKey(client.address) : undefined];
  return [bucket, ...parts.filter((part) => part !== undefined)].join(":");
}
