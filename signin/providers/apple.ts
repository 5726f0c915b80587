import { importPKCS8, SignJWT } from "jose";
import type { Clock } from "../../shared/clock.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { AppleKey } from "../config/provider-config.ts";
import { unixNow } from "../db/time.ts";
import { failure } from "../errors.ts";
import { APPLE_SECRET_LIFETIME_SEC } from "../limits.ts";
import { toDisplayName } from "./profile.ts";

/** Apple's client secret: a token of the team, for one exchange. @throws SigninError `provider_error` for a key that is none */
export async function createClientSecret(
  { teamId, keyId, privateKey }: AppleKey,
  { clock, clientId, issuer }: { clock: Clock; clientId: string; issuer: string },
): Promise<string> {
  const now = unixNow(clock);
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + APPLE_SECRET_LIFETIME_SEC)
    .sign(await importKey(privateKey));
}

async function importKey(privateKey: string) {
  const pem = `-----BEGIN PRIVATE KEY-----\n${privateKey}\n-----END PRIVATE KEY-----`;
  try {
    return await importPKCS8(pem, "ES256");
  } catch {
    throw failure("provider_error", "PROVIDER_APPLE_PRIVATE_KEY is no ES256 key");
  }
}

/**
 * The display name of `user`, which the browser brings at the first sign-in alone. Its address is not read: the browser could
 * have written it.
 */
export function readUserName(user: string | null): string | undefined {
  const given = parseJson(user ?? "");
  const name = isJsonObject(given) && isJsonObject(given.name) ? given.name : {};
  const { firstName, lastName } = name;
  return toDisplayName([firstName, lastName].filter((part) => typeof part === "string").join(" "));
}

/** `user` again, with the name alone. */
export function toUserParameter(user: string | null): string | undefined {
  const firstName = readUserName(user);
  return firstName && JSON.stringify({ name: { firstName } });
}
