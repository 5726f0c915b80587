import { toBase64Url, utf8 } from "../../shared/bytes.ts";
import {
  isLoopback,
  isLoopbackHost,
  toBlockKey,
  toClientKey,
  toNetworkKey,
} from "../audit/address.ts";
import { logEvent } from "../audit/log-event.ts";
import type { Scope } from "../deps.ts";
import { rateLimited } from "../errors.ts";
import { RATE_LIMITS, type RateLimit, type RateLimitBucket } from "../limits.ts";
import type { Counter, RateDecision } from "./rate-limiter.ts";

/** The dependencies of counting. */
export type GuardDeps = Pick<Scope, "config" | "rateLimiter" | "keyring" | "client" | "log">;

const PSEUDONYM_BYTES = 16;

/**
 * Counts one request. Buckets whose names end in `Ip` count by the client's address, and where the limit says so by its network
 * and its block, too; those in `Network` by the network. `value` is the user, session or e-mail address that the bucket counts by.
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
  const decision = await deps.rateLimiter.consume(await listCounters(deps, bucket, value));
  if (!decision.ok) {
    const { log, client } = deps;
    const facts = { ...ownerOf(bucket, value), client, detail: { bucket } };
    logEvent(log, { type: "ratelimit.hit", outcome: "failure", ...facts });
  }
  return decision;
}

/** Resets a count, as after a successful sign-in. */
export async function clearCount(
  deps: GuardDeps,
  bucket: RateLimitBucket,
  value?: string,
): Promise<void> {
  for (const counter of await listCounters(deps, bucket, value)) {
    await deps.rateLimiter.clear(counter);
  }
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

/** The part of an address that a bucket counts by; empty if it does not count by address. */
function placeOf(bucket: RateLimitBucket, address: string): string {
  if (bucket.endsWith("Ip")) return toClientKey(address);
  return bucket.endsWith("Network") ? toNetworkKey(address) : "";
}

/** The counters of one request: one, or three if the limit has wider ones. */
function listCounters(
  { keyring, client }: Pick<GuardDeps, "keyring" | "client">,
  bucket: RateLimitBucket,
  value = "",
): Promise<Counter[]> {
  const { wider, limit, windowSec, durable }: RateLimit = RATE_LIMITS[bucket];
  const { address } = client;
  const counted = [{ place: placeOf(bucket, address), limit }];
  // An unknown address is of no network.
  if (wider && toNetworkKey(address) !== "unknown") {
    counted.push({ place: toNetworkKey(address), limit: wider.network });
    counted.push({ place: toBlockKey(address), limit: wider.block });
  }
  return Promise.all(
    counted.map(async ({ place, limit }) => {
      // An id of this server needs no pseudonym, and a refresh is the most frequent request that is counted.
      const isPlain = place === "" && !durable;
      const name = isPlain ? value : await pseudonymOf(keyring, [bucket, value, place]);
      return { key: `${bucket}:${name}`, limit, windowSec, durable };
    }),
  );
}

/** The key of a durable counter that its own statements change: IP and e-mail addresses are stored as pseudonyms. */
export async function counterKeyOf(
  { keyring }: Pick<GuardDeps, "keyring">,
  name: string,
  value: string,
): Promise<string> {
  return `${name}:${await pseudonymOf(keyring, [name, value])}`;
}

async function pseudonymOf(keyring: Scope["keyring"], parts: readonly string[]): Promise<string> {
  const [mac] = await keyring.macs("log-pseudonym");
  if (!mac) throw new RangeError("A pseudonym needs a key.");
  return toBase64Url((await mac(utf8(JSON.stringify(parts)))).subarray(0, PSEUDONYM_BYTES));
}
