import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { beginFlow, openCallback, refusalOf } from "./flows.ts";
import type { TestSignin } from "./signin.ts";

/** A second key pair of the provider. */
export const OTHER = await generateKeyPair("RS256", { extractable: true });

/** The second public key, as the provider serves it. */
export const OTHER_JWK: JWK = {
  ...(await exportJWK(OTHER.publicKey)),
  kid: "key-2",
  alg: "RS256",
  use: "sig",
};

/** Begins a flow and opens its callback. */
export async function attempt(signin: TestSignin): Promise<Response> {
  const flow = await beginFlow(signin);
  signin.idp.takeRequests();
  return openCallback(signin, flow);
}

/** Refused, without effect: no session, no account, no call to UserInfo. */
export async function assertRejected(
  signin: TestSignin,
  refusal = "403 identity_rejected",
): Promise<void> {
  const response = await attempt(signin);
  assert.equal(await refusalOf(response), refusal);
  assert.equal(
    response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
    false,
  );
  assert.deepEqual(await signin.rows("SELECT 1 FROM users UNION ALL SELECT 1 FROM sessions"), []);
  assert.equal(
    signin.idp.takeRequests().some((request) => request.includes("userinfo")),
    false,
  );
}
