import { type Bytes, fromBase64Url, toHex, utf8 } from "../shared/bytes.ts";
import { commaSeparated } from "../shared/env.ts";
import type { Complain, Variables } from "./config.ts";
import { ENCRYPTION_KEY_BYTES, SIGNING_KEY_BYTES_MIN } from "./limits.ts";

// A key typed by hand rather than drawn at random. Only where it matters: tests and development may type one.
const DISTINCT_BYTES_MIN = 8;

/** `JWT_SECRET_KEY`: `new,old`. Each is at least 32 bytes long. */
export function parseSigningKeys(
  variables: Variables,
  strict: boolean,
  complain: Complain,
): Bytes[] {
  const name = "JWT_SECRET_KEY";
  const keys = commaSeparated(variables[name]).map(utf8);
  if (keys.length === 0)
    complain(name, "must be set: at least 32 random bytes, such as 64 hex digits.");
  if (keys.some((key) => key.length < SIGNING_KEY_BYTES_MIN)) {
    complain(name, "must be at least 32 bytes long; 64 random hex digits are good.");
  }
  if (strict && keys.some(isMonotonous)) complain(name, "is not random: use 64 random hex digits.");
  return keys;
}

/** `TOKEN_ENCRYPTION_KEY`: `new,old`. Each is the URL-safe base64 of 32 bytes, with or without padding. */
export function parseEncryptionKeys(
  variables: Variables,
  strict: boolean,
  complain: Complain,
): Bytes[] {
  const name = "TOKEN_ENCRYPTION_KEY";
  const given = commaSeparated(variables[name]);
  if (given.length === 0) complain(name, "must be set: URL-safe base64 of 32 random bytes.");
  const keys = given.flatMap((text) => {
    const key = fromBase64Url(text);
    return key?.length === ENCRYPTION_KEY_BYTES ? [key] : [];
  });
  if (keys.length !== given.length)
    complain(name, "must be the URL-safe base64 of exactly 32 bytes.");
  if (strict && keys.some(isMonotonous)) complain(name, "is not random: use 32 random bytes.");
  return keys;
}

/** Both or neither (Sign-in §1, configuration rules). */
export function providerCredentials(
  variables: Variables,
  prefix: "OIDC" | "OAUTH",
  complain: Complain,
): { clientId: string; clientSecret: string } | undefined {
  const idName = `${prefix}_PROVIDER_CLIENT_ID`;
  const secretName = `${prefix}_PROVIDER_CLIENT_SECRET`;
  const clientId = variables[idName];
  const clientSecret = variables[secretName];
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  if (clientId !== undefined)
    complain(secretName, `must be set where ${idName} is; or leave out both.`);
  if (clientSecret !== undefined) {
    complain(idName, `must be set where ${secretName} is; or leave out both.`);
  }
  return undefined;
}

const SECRET_NAMES = [
  "JWT_SECRET_KEY",
  "TOKEN_ENCRYPTION_KEY",
  "OIDC_PROVIDER_CLIENT_SECRET",
  "OAUTH_PROVIDER_CLIENT_SECRET",
  "MAIL_HTTP_TOKEN",
  "DATABASE_AUTH_TOKEN",
];

/** No secret serves two purposes (Sign-in §1): the same bytes in another spelling are the same secret. */
export function differingSecrets(variables: Variables, complain: Complain): void {
  const owners = new Map<string, string>();
  for (const name of SECRET_NAMES) {
    const isKeyList = name === "JWT_SECRET_KEY" || name === "TOKEN_ENCRYPTION_KEY";
    const secrets = isKeyList ? commaSeparated(variables[name]) : [variables[name] ?? ""];
    const readings = new Set(secrets.filter((secret) => secret !== "").flatMap(readingsOf));
    const other = [...readings].flatMap((reading) => owners.get(reading) ?? [])[0];
    if (other !== undefined) complain(name, `must differ from ${other}.`);
    for (const reading of readings) owners.set(reading, name);
  }
}

function readingsOf(secret: string): string[] {
  const asBase64 = fromBase64Url(secret);
  const readings = [toHex(utf8(secret))];
  if (/^([0-9a-f]{2})+$/i.test(secret)) readings.push(secret.toLowerCase());
  if (asBase64 && asBase64.length > 0) readings.push(toHex(asBase64));
  return readings;
}

function isMonotonous(key: Uint8Array): boolean {
  return new Set(key).size < DISTINCT_BYTES_MIN;
}
