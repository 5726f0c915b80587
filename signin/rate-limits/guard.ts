import { toBase64Url, utf8 } from "../../shared/bytes.ts";
import { isLoopback, toClientKey } from "../audit/address.ts";
import type { Scope } from "../deps.ts";
import { rateLimited } from "../errors.ts";
import { RATE_LIMITS, type RateLimit, type RateLimitBucket } from "../limits.ts";
import type { RateDecision } from "./rate-limiter.ts";

/** What counting needs of a request. */
export type GuardDeps = Pick<Scope, "config" | "rateLimiter" | "keyring" | "audit" | "client">;

const PSEUDONYM_BYTES = 16;

/**
 * Counts one request and lets it through, or not. Buckets whose names end in `Ip` go by the client's address; `value` tells
 * one user, session or e-mail address from another within the bucket.
 * @throws SigninError `rate_limited`
 */
export async function requireWithinLimit(
  deps: GuardDeps,
  bucket: RateLimitBucket,
  value?: string,
): Promise<void> {
  const decision = await countRequest(deps, bucket, value);
  if (!decision.ok) throw rateLimited(decision.retryAfterSec);
}

/** As `requireWithinLimit`, for a caller who decides what a refusal means. */
export async function countRequest(
  deps: GuardDeps,
  bucket: RateLimitBucket,
  value?: string,
): Promise<RateDecision> {
  if (value === undefined && isExempt(deps, bucket)) return { ok: true };
  const limit: RateLimit = RATE_LIMITS[bucket];
  const decision = await deps.rateLimiter.consume(await keyOf(deps, bucket, value), limit);
  // Once a window: who is refused must not be able to fill the trail.
  if (!decision.ok && decision.isFirstRefusal) {
    const { audit, client } = deps;
    await audit.record({ type: "ratelimit.hit", outcome: "failure", client, detail: { bucket } });
  }
  return decision;
}

/** Forgets what was counted, as after a sign-in that succeeded. */
export async function clearCount(
  deps: GuardDeps,
  bucket: RateLimitBucket,
  value?: string,
): Promise<void> {
  await deps.rateLimiter.clear(await keyOf(deps, bucket, value), RATE_LIMITS[bucket]);
}

// In development every client is at 127.0.0.1: a count by address would join them. A public base URL means a tunnel: its agent
// is at 127.0.0.1, too, and its clients are not.
function isExempt({ config, client }: GuardDeps, bucket: RateLimitBucket): boolean {
  const isDevelopment = config.env === "development" || config.env === "test";
  if (!isDevelopment || !goesByAddress(bucket)) return false;
  return isLoopback(client.address) && isLoopbackHost(new URL(config.baseUrl).hostname);
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

function goesByAddress(bucket: RateLimitBucket): boolean {
  return bucket.endsWith("Ip");
}

/** Addresses and e-mail addresses are kept as pseudonyms; the bucket's name stays readable, for the operator. */
async function keyOf(
  { keyring, client }: GuardDeps,
  bucket: RateLimitBucket,
  value = "",
): Promise<string> {
  const address = goesByAddress(bucket) ? toClientKey(client.address) : "";
  const limit: RateLimit = RATE_LIMITS[bucket];
  // Ids of our own say nothing about a person, and refreshing is the busiest path.
  if (address === "" && !limit.durable) return `${bucket}:${value}`;
  const [key] = await keyring.macKeys("log-pseudonym");
  if (!key) throw new RangeError("A pseudonym needs a key.");
  const text = utf8(JSON.stringify([bucket, value, address]));
  const mac = await crypto.subtle.sign("HMAC", key, text);
  return `${bucket}:${toBase64Url(new Uint8Array(mac).subarray(0, PSEUDONYM_BYTES))}`;
}
