// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALGORITHM_NAMES } from "../../support/signin/authenticator.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";
import { listDishonestRegistrations } from "../../support/signin/registration-mutations.ts";
import { oracleAcceptsRegistration } from "./webauthn-oracle.ts";

describe("a registration is refused for the right reason, adds nothing, and spends its challenge", () => {
  for (const algorithm of ALGORITHM_NAMES) {
    it(`with ${algorithm}`, async () => {
      await using signin = await createPasskeySignin();
      const { bearer } = await signin.openAccount();
      const honest = device(algorithm, true);
      for (const { what, rule, mutation, isStricter = false } of listDishonestRegistrations()) {
        const options = await signin.registrationOptions(bearer);
        const credential = honest.create(options, mutation);
        const { status, body } = await signin.ask("POST", "/auth/passkeys", {
          bearer,
          body: { credential },
        });
        assert.deepEqual(
          [status, body.code],
          [400, "passkey_refused"],
          `${what}: ${JSON.stringify(body)}`,
        );
        assert.equal(body.details.split(":")[0], rule, `${what}: ${body.details}`);
        if (!isStricter)
          assert.equal(await oracleAcceptsRegistration(credential, options.challenge), false, what);
        if (rule === "client_data" || rule === "challenge") continue;
        const repeated = await signin.ask("POST", "/auth/passkeys", {
          bearer,
          body: { credential: honest.create(options) },
        });
        assert.match(repeated.body.details, /^challenge:/, what);
      }
      assert.deepEqual(await signin.rows("SELECT id FROM passkeys"), []);
      const options = await signin.registrationOptions(bearer);
      const credential = honest.create(options);
      assert.equal(await oracleAcceptsRegistration(credential, options.challenge), true);
      const answer = await signin.ask("POST", "/auth/passkeys", { bearer, body: { credential } });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    });
  }

  it("whose challenge is another user's, of a sign-in, older than five minutes, or used", async () => {
    await using signin = await createPasskeySignin();
    const [first, second] = [await signin.openAccount(), await signin.openAccount()];
    const key = device();
    const foreign = await signin.registrationOptions(second.bearer);
    const { options: ofSignIn } = await signin.signInOptions();
    const old = await signin.registrationOptions(first.bearer);
    signin.deps.clock.advance(300_000);
    const post = (credential: unknown, bearer = first.bearer) =>
      signin.ask("POST", "/auth/passkeys", { bearer, body: { credential } });
    await signin.prove(first.bearer);
    const own = await signin.registrationOptions(first.bearer);
    for (const challenge of [foreign, ofSignIn, old].map((options) => options.challenge)) {
      const { status, body } = await post(key.create({ ...own, challenge }));
      assert.deepEqual([status, body.code], [400, "passkey_refused"]);
      assert.match(body.details, /^challenge:/);
    }
    assert.equal((await post(key.create(own))).status, 200);
    assert.match((await post(device().create(own))).body.details, /^challenge:/);
  });
});
