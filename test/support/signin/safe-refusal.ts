import assert from "node:assert/strict";
import { refusalOf } from "./flows.ts";
import type { TestSignin } from "./signin.ts";

/** A 4xx that did nothing: no session, no account, no call to a provider. */
export async function assertSafe(
  signin: TestSignin,
  response: Response,
  refusal: string,
): Promise<void> {
  assert.equal(await refusalOf(response), refusal);
  assert.equal(
    response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
    false,
  );
  assert.deepEqual(await signin.rows("SELECT 1 FROM sessions UNION ALL SELECT 1 FROM users"), []);
  assert.deepEqual(signin.idp.takeRequests(), []);
}
