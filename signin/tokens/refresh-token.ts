import { concatBytes, fromBase64Url, toBase64Url } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import type { SessionRow } from "../db/schema.ts";
import { REFRESH_TOKEN_CHARACTERS_MAX } from "../limits.ts";
import type { Mac } from "./mac.ts";

/** What a refresh token says: which session, and which generation of its token. */
export interface RefreshClaims {
  /** 16 bytes, base64url. */
  sessionId: string;
  counter: number;
}

const PREFIX = "rt1.";
const VERSION = 1;
const ID_BYTES = 16;
const MAC_BYTES = 32;
// Seven bits a byte: five bytes hold every counter that a session can reach.
const COUNTER_BYTES_MAX = 5;
const COUNTER_MAX = 2 ** 31 - 1;

/**
 * `rt1.` and base64url of version, session, counter and their MAC: opaque to clients. It needs no row of its own. The same
 * session and counter always give the same token, so that a lost answer can be repeated.
 */
export async function encodeRefreshToken(
  [mac]: readonly Mac[],
  { sessionId, counter }: RefreshClaims,
): Promise<string> {
  const id = fromBase64Url(sessionId);
  if (id?.length !== ID_BYTES || !mac || !isCounter(counter)) {
    throw new RangeError("A refresh token needs a key, a session id of 16 bytes and a counter.");
  }
  const claims = concatBytes([Uint8Array.of(VERSION), id, encodeCounter(counter)]);
  return PREFIX + toBase64Url(concatBytes([claims, await mac(claims)]));
}

/** Undefined for a token that this server did not make. No SQL runs for it. */
export async function decodeRefreshToken(
  macs: readonly Mac[],
  token: string,
): Promise<RefreshClaims | undefined> {
  if (!token.startsWith(PREFIX) || token.length > REFRESH_TOKEN_CHARACTERS_MAX) return undefined;
  const text = token.slice(PREFIX.length);
  const bytes = text.includes("=") ? undefined : fromBase64Url(text);
  if (!bytes || bytes[0] !== VERSION || bytes.length <= 1 + ID_BYTES + MAC_BYTES) return undefined;
  const claims = bytes.subarray(0, -MAC_BYTES);
  const counter = decodeCounter(claims.subarray(1 + ID_BYTES));
  if (counter === undefined) return undefined;
  for (const mac of macs) {
    if (equalsConstantTime(bytes.subarray(-MAC_BYTES), await mac(claims))) {
      return { sessionId: toBase64Url(claims.subarray(1, 1 + ID_BYTES)), counter };
    }
  }
  return undefined;
}

function isCounter(counter: number): boolean {
  return Number.isInteger(counter) && counter >= 0 && counter <= COUNTER_MAX;
}

function encodeCounter(counter: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = counter; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

/** Undefined for any but the shortest encoding. */
function decodeCounter(bytes: Uint8Array): number | undefined {
  if (bytes.length === 0 || bytes.length > COUNTER_BYTES_MAX) return undefined;
  let counter = 0;
  for (const [at, byte] of bytes.entries()) {
    const isLast = at === bytes.length - 1;
    if (byte >= 128 === isLast || (isLast && at > 0 && byte === 0)) return undefined;
    counter += (byte % 128) * 128 ** at;
  }
  return isCounter(counter) ? counter : undefined;
}

/** Whether a session can be used at `now`, in seconds. */
export function isLive(
  {
    revokedAt,
    expiresAt,
    idleExpiresAt,
  }: Pick<SessionRow, "revokedAt" | "expiresAt" | "idleExpiresAt">,
  now: number,
): boolean {
  return revokedAt === null && expiresAt > now && idleExpiresAt > now;
}

/** Whether a token is its session's newest one, or the one before it within the grace for a lost response. */
export function isCurrent(
  state: Pick<SessionRow, "counter" | "rotatedAt">,
  { counter }: Pick<RefreshClaims, "counter">,
  { now, refreshGraceSec }: { now: number; refreshGraceSec: number },
): boolean {
  if (counter === state.counter) return true;
  return state.counter - counter === 1 && now - state.rotatedAt <= refreshGraceSec;
}
