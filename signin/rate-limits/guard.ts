import { toBase64Url, utf8 } from "../../shared/bytes.ts";
import { isLoopback, isLoopbackHost, toClientKey, toNetworkKey } from "../audit/address.ts";
import { logEvent } from "../audit/log-event.ts";
import type { Scope } from "../deps.ts";
import { rateLimited } from "../errors.ts";
import { RATE_LIMITS, type RateLimit, type RateLimitBucket } from "../limits.ts";
import type { RateDecision } from "./rate-limiter.ts";

/** The dependencies of counting. */
export type GuardDeps = Pick<
  Scope,
  "config" | "rateLimiter" | "keyring" | "record" | "client" | "log"
>;

const PSEUDONYM_BYTES = 16;

/**
 * Counts one request. Buckets whose names end in `Ip` count by the client's address, those in `Network` by its network.
 * `value` is the user, session or e-mail address that the bucket counts by.
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

/** As `requireWithinLimit`, for a caller that handles a refusal itself. */
export async function countRequest(
  deps: GuardDeps,
  bucket: RateLimitBucket,
  value?: string,
): Promise<RateDecision> {
  if (value === undefined && isExempt(deps, bucket)) return { ok: true };
  const limit: RateLimit = RATE_LIMITS[bucket];
  const decision = await deps.rateLimiter.consume(await keyOf(deps, bucket, value), limit);
  if (!decision.ok) {
    const event = {
      type: "ratelimit.hit",
      outcome: "failure",
      ...ownerOf(bucket, value),
      detail: { bucket },
    } as const;
    // Once a window: refused requests must not fill the trail. The log has each of them.
    if (decision.isFirstRefusal) deps.record(event);
    else logEvent(deps.log, { ...event, client: deps.client });
  }
  return decision;
}

/** Resets a count, as after a successful sign-in. */
export async function clearCount(
  deps: GuardDeps,
  bucket: RateLimitBucket,
  value?: string,
): Promise<void> {
  await deps.rateLimiter.clear(await keyOf(deps, bucket, value), RATE_LIMITS[bucket]);
}

// In development every client is at 127.0.0.1: a count by address would join them. A public base URL means a tunnel, whose
// agent is at 127.0.0.1, too, and whose clients are not.
function isExempt({ config, client }: GuardDeps, bucket: RateLimitBucket): boolean {
  const isDevelopment = config.env === "development" || config.env === "test";
  if (!isDevelopment || placeOf(bucket, client.address) === "") return false;
  return isLoopback(client.address) && isLoopbackHost(new URL(config.baseUrl).hostname);
}

/** Whom a bucket counts, where its value begins with an id of this server: never an address. */
function ownerOf(bucket: RateLimitBucket, value = ""): { userId?: string; sessionId?: string } {
  const [id = ""] = value.split(" ", 1);
  if (bucket.endsWith("PerUser")) return { userId: id };
  return bucket.endsWith("PerSession") ? { sessionId: id } : {};
}

/** The part of an address that a bucket counts by; empty where it does not count by address. */
function placeOf(bucket: RateLimitBucket, address: string): string {
  if (bucket.endsWith("Ip")) return toClientKey(address);
  return bucket.endsWith("Network") ? toNetworkKey(address) : "";
}

/** IP and e-mail addresses are stored as pseudonyms. The bucket's name stays readable for the operator. */
async function keyOf(
  { keyring, client }: GuardDeps,
  bucket: RateLimitBucket,
  value = "",
): Promise<string> {
  const address = placeOf(bucket, client.address);
  const limit: RateLimit = RATE_LIMITS[bucket];
  // An id of this server needs no pseudonym, and a refresh is the most frequent request that is counted.
  if (address === "" && !limit.durable) return `${bucket}:${value}`;
  return `${bucket}:${await pseudonymOf(keyring, [bucket, value, address])}`;
}

/** The client of a code request: its address as a pseudonym, which other tables may store. */
export function toAsker({ keyring, client }: Pick<GuardDeps, "keyring" | "client">) {
  return pseudonymOf(keyring, ["asker", toClientKey(client.address)]);
}

async function pseudonymOf(keyring: Scope["keyring"], parts: readonly string[]): Promise<string> {
  const [mac] = await keyring.macs("log-pseudonym");
  if (!mac) throw new RangeError("A pseudonym needs a key.");
  return toBase64Url((await mac(utf8(JSON.stringify(parts)))).subarray(0, PSEUDONYM_BYTES));
}
