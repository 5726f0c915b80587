import { type Bytes, fromBase64Url, fromUtf8, sha256, toBase64Url } from "../../shared/bytes.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { RelyingParty } from "../config/relying-party.ts";
import { PasskeyFault } from "./fault.ts";

/** What the browser says of a ceremony (WebAuthn, section 5.8.1). */
export interface ClientData {
  type: string;
  origin: string;
  isCrossOrigin: boolean;
  challenge: Bytes;
  /** SHA-256 of the whole, as the authenticator signed it. */
  hash: Bytes;
}

/** @throws PasskeyFault `client_data`, `challenge` */
export async function parseClientData(bytes: Bytes): Promise<ClientData> {
  const { type, challenge, origin, crossOrigin, topOrigin } = toObject(bytes);
  if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string") {
    throw new PasskeyFault("client_data", "type, challenge or origin is not text");
  }
  const raw = fromBase64Url(challenge);
  if (!raw || raw.length === 0 || challenge !== toBase64Url(raw)) {
    throw new PasskeyFault("challenge", "the challenge is not base64url");
  }
  return {
    type,
    origin,
    isCrossOrigin: (crossOrigin ?? false) !== false || topOrigin !== undefined,
    challenge: raw,
    hash: await sha256(bytes),
  };
}

/** @throws PasskeyFault */
export function requireOwnCeremony(
  { type, origin, isCrossOrigin }: ClientData,
  expectedType: "webauthn.create" | "webauthn.get",
  { origins }: RelyingParty,
): void {
  if (type !== expectedType) throw new PasskeyFault("type", `it must be ${expectedType}`);
  if (!origins.includes(origin)) {
    throw new PasskeyFault("origin", `it must be one of ${origins.join(", ")}`);
  }
  if (isCrossOrigin)
    throw new PasskeyFault("cross_origin", "a page of another site embeds this one");
}

function toObject(bytes: Bytes): Record<string, unknown> {
  const value = parseJson(decode(bytes));
  if (isJsonObject(value)) return value;
  throw new PasskeyFault("client_data", "it is not a JSON object");
}

function decode(bytes: Bytes): string {
  try {
    return fromUtf8(bytes);
  } catch {
    throw new PasskeyFault("client_data", "it is not UTF-8");
  }
}
