import { toBase64Url, utf8 } from "../../shared/bytes.ts";
import { bareHost } from "../../shared/host.ts";
import { isLoopback, toClientKey, toNetworkKey } from "../audit/address.ts";
import type { Scope } from "../deps.ts";
import { rateLimited } from "../errors.ts";
import { RATE_LIMITS, type RateLimit, type RateLimitBucket } from "../limits.ts";
import type { RateDecision } from "./rate-limiter.ts";

/** What counting needs of a request. */
export type GuardDeps = Pick<Scope, "config" | "rateLimiter" | "keyring" | "record" | "client">;

const PSEUDONYM_BYTES = 16;

/**
 * Counts one request and lets it through, or not. Buckets whose names end in `Ip` count by the client's address, those in
 * `Network` by its network; `value` tells one user, session or e-mail address from another within the bucket.
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
    deps.record({ type: "ratelimit.hit", outcome: "failure", detail: { bucket } });
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
  if (!isDevelopment || placeOf(bucket, client.address) === "") return false;
  return isLoopback(client.address) && isLoopbackHost(new URL(config.baseUrl).hostname);
}

function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || isLoopback(bareHost(hostname));
}

/** What a bucket counts of an address; empty where it counts without one. */
function placeOf(bucket: RateLimitBucket, address: string): string {
  if (bucket.endsWith("Ip")) return toClientKey(address);
  return bucket.endsWith("Network") ? toNetworkKey(address) : "";
}

/** Addresses and e-mail addresses are kept as pseudonyms; the bucket's name stays readable, for the operator. */
async function keyOf(
  { keyring, client }: GuardDeps,
  bucket: RateLimitBucket,
  value = "",
): Promise<string> {
  const address = placeOf(bucket, client.address);
  const limit: RateLimit = RATE_LIMITS[bucket];
  // Ids of our own say nothing about a person, and refreshing is the busiest path.
  if (address === "" && !limit.durable) return `${bucket}:${value}`;
  return `${bucket}:${await pseudonymOf(keyring, [bucket, value, address])}`;
}

/** The asker of a code: the client's address as a pseudonym, which other tables may keep. */
export function toAsker({ keyring, client }: Pick<GuardDeps, "keyring" | "client">) {
  return pseudonymOf(keyring, ["asker", toClientKey(client.address)]);
}

async function pseudonymOf(keyring: Scope["keyring"], parts: readonly string[]): Promise<string> {
  const [mac] = await keyring.macs("log-pseudonym");
  if (!mac) throw new RangeError("A pseudonym needs a key.");
  return toBase64Url((await mac(utf8(JSON.stringify(parts)))).subarray(0, PSEUDONYM_BYTES));
}
