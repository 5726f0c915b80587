import { sha256, toBase64Url } from "../../shared/bytes.ts";
import type { Database } from "../../shared/database.ts";
import { SealBroken } from "../../shared/sealed-box.ts";
import { consumeNonceStatement } from "../db/used-nonces.ts";
import type { Scope } from "../deps.ts";
import { readFlowCookie } from "../http/cookies.ts";

/**
 * A sign-in that has begun. No row has it: it is sealed in the binding cookie of its browser, or in the `state` of a native
 * flow, which has no browser yet. Only its end is stored.
 */
export type Flow = {
  provider: string;
  nonce: string;
  codeVerifier: string;
  /** Unix seconds. */
  expiresAt: number;
} & FlowMode;

/** What a flow is for. */
export type FlowMode =
  | { mode: "login" }
  | { mode: "link"; userId: string; sessionId: string }
  | { mode: "native"; redirectTo: string; codeChallenge: string };

const NATIVE = "signin|native-flow";
// No other state has dots.
const SEALED = /^v1\./;

/** The whole flow as the `state` of a native one. */
export async function sealNativeFlow(keyring: Scope["keyring"], flow: Flow): Promise<string> {
  return (await keyring.box()).seal(JSON.stringify(flow), NATIVE);
}

/** The value of the binding cookie. Beside another state it cannot be opened. */
export async function sealFlow(
  keyring: Scope["keyring"],
  flow: Flow,
  stateHash: string,
): Promise<string> {
  return (await keyring.box()).seal(JSON.stringify(flow), contextOf(stateHash));
}

/** The flow of a state, in the browser that `headers` are of; undefined if this is not its browser, or its key was removed. */
export async function readFlow(
  { keyring, config }: Pick<Scope, "keyring" | "config">,
  { state, stateHash, headers }: { state: string; stateHash: string; headers: Headers },
): Promise<Flow | undefined> {
  const isNative = SEALED.test(state);
  const sealed = isNative ? state : readFlowCookie(config, headers, stateHash);
  if (sealed === undefined) return undefined;
  try {
    const box = await keyring.box();
    // This server sealed it.
    return JSON.parse(await box.open(sealed, isNative ? NATIVE : contextOf(stateHash))) as Flow;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** Of any number of callbacks one uses a flow up. */
export async function useFlow(db: Database, stateHash: string, { expiresAt }: Flow) {
  const nonce = { nonceHash: stateHash, nonceExpiresAt: expiresAt };
  const { rows } = await db.$client.execute(consumeNonceStatement(nonce));
  return rows.length > 0;
}

/** SHA-256 of a state, in base64url: its cookie is named by it. */
export async function hashState(state: string): Promise<string> {
  return toBase64Url(await sha256(state));
}

function contextOf(stateHash: string): string {
  return `signin|flow|${stateHash}`;
}
