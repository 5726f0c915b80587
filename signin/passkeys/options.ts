import { toBase64Url, utf8 } from "../../shared/bytes.ts";
import { parseJson } from "../../shared/json.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { BINDING_BYTES, passkeyCookie, readPasskeyBinding } from "../http/cookies.ts";
import { PASSKEY_CHALLENGE_LIFETIME_SEC } from "../limits.ts";
import { createChallenge } from "./challenge.ts";
import { ALGORITHMS } from "./cose-key.ts";
import { findNames, listPasskeys } from "./store.ts";
import type { CreationOptions, RequestOptions } from "./wire.ts";

type OptionsDeps = Pick<Scope, "db" | "config" | "clock" | "random" | "keyring" | "relyingParty">;

const TIMEOUT_MS = PASSKEY_CHALLENGE_LIFETIME_SEC * 1000;

/**
 * What a browser needs to make a passkey for the user. Authenticators that have one already are excluded.
 * @throws SigninError `session_expired` if the account was deleted
 */
export async function startRegistration(
  deps: OptionsDeps,
  userId: string,
): Promise<CreationOptions> {
  const { id } = deps.relyingParty();
  const [names, existing] = await Promise.all([
    findNames(deps.db, userId),
    listPasskeys(deps.db, userId),
  ]);
  if (!names) throw failure("session_expired");
  const { email, displayName } = names;
  return {
    rp: { id, name: deps.config.appName },
    user: { id: toBase64Url(utf8(userId)), name: email, displayName: displayName ?? email },
    challenge: await createChallenge(deps, { userId }),
    pubKeyCredParams: Object.values(ALGORITHMS).map((alg) => ({ type: "public-key", alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: existing.map(({ credentialId, transportsJson }) => ({
      type: "public-key",
      id: credentialId,
      // The registration stored a list of texts.
      transports: parseJson(transportsJson) as string[],
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
  };
}

/** What a browser needs to sign in, and the cookie that binds it. The options name no passkey and no account. */
export async function startSignIn(
  deps: OptionsDeps,
  headers: Headers,
): Promise<{ options: RequestOptions; setCookie: string }> {
  const { config, random } = deps;
  const { id: rpId } = deps.relyingParty();
  // The tabs of a browser share a cookie: a new one would end the challenge of the tab before.
  const binding = readPasskeyBinding(config, headers) ?? random(BINDING_BYTES);
  const challenge = await createChallenge(deps, { binding });
  return {
    options: { challenge, rpId, timeout: TIMEOUT_MS, userVerification: "required" },
    setCookie: passkeyCookie(config, binding),
  };
}
