// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALGORITHM_NAMES } from "../../support/signin/authenticator.ts";
import { listDishonestSignIns } from "../../support/signin/mutations.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";
import type { Answer } from "../../support/signin/users.ts";
import { oracleAcceptsSignIn } from "./webauthn-oracle.ts";

function assertRejected({ status, body, headers }: Answer, what = ""): void {
  assert.deepEqual([status, body.code], [401, "passkey_rejected"], what);
  assert.equal(body.details, undefined, "the answer does not say why");
  assert.deepEqual(headers.getSetCookie(), [], what);
}

/** The last refused sign-in in the log: the trail has only those of known passkeys. */
function lastFailure({ logged }: { logged: readonly string[] }) {
  const line = logged.findLast((each) => each.includes('"login.failure"'));
  return line === undefined ? undefined : JSON.parse(line).fields;
}

describe("a sign-in is refused for the right reason, begins nothing, and spends its challenge", () => {
  for (const algorithm of ALGORITHM_NAMES) {
    it(`with ${algorithm}`, async () => {
      await using signin = await createPasskeySignin();
      const [{ bearer, userId }, other] = [await signin.openAccount(), await signin.openAccount()];
      const key = device(algorithm, true);
      await signin.register(bearer, key);
      const sessions = (await signin.rows("SELECT id FROM sessions")).length;
      const handle = Buffer.from(other.userId).toString("base64url");
      for (const { what, rule, mutation, isStricter = false } of listDishonestSignIns(handle)) {
        const { options, cookie } = await signin.signInOptions();
        const credential = key.get(options, mutation);
        assertRejected(await signin.finishSignIn(credential, cookie), what);
        const failed = lastFailure(signin);
        assert.deepEqual(failed?.detail, { method: "passkey", reason: rule }, what);
        assert.ok(failed?.user_id === undefined || failed.user_id === userId, what);
        if (!isStricter)
          assert.equal(await oracleAcceptsSignIn(credential, options.challenge, key), false, what);
        if (["client_data", "challenge", "credential", "unknown_passkey"].includes(rule)) continue;
        assertRejected(await signin.finishSignIn(key.get(options), cookie), what);
        assert.equal(lastFailure(signin)?.detail.reason, "challenge", what);
      }
      assert.equal((await signin.rows("SELECT id FROM sessions")).length, sessions);
      const { options, cookie } = await signin.signInOptions();
      const credential = key.get(options);
      assert.equal(await oracleAcceptsSignIn(credential, options.challenge, key), true);
      assert.equal((await signin.finishSignIn(credential, cookie)).status, 200);
    });
  }

  it("whose challenge is another browser's, of a registration, older than five minutes, or used", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    const old = await signin.signInOptions();
    signin.deps.clock.advance(300_000);
    const [own, foreign] = [await signin.signInOptions(), await signin.signInOptions()];
    await signin.prove(bearer);
    const { challenge } = await signin.registrationOptions(bearer);
    for (const [given, cookie] of [
      [old.options, old.cookie],
      [foreign.options, own.cookie],
      [own.options, ""],
      [own.options, `${own.cookie}; ${foreign.cookie}`],
      [own.options, "__Host-signin_pk=AAAA"],
      [{ ...own.options, challenge }, own.cookie],
    ] as const) {
      assertRejected(await signin.finishSignIn(key.get(given), cookie));
      assert.equal(lastFailure(signin)?.detail.reason, "challenge");
    }
    const credential = key.get(own.options);
    assert.equal((await signin.finishSignIn(credential, own.cookie)).status, 200);
    assertRejected(await signin.finishSignIn(credential, own.cookie), "a replay");
  });

  it("with the key of another passkey, and with a passkey that was removed", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device();
    const { body } = await signin.register(bearer, key);
    const { options, cookie } = await signin.signInOptions();
    key.replaceKeys();
    assertRejected(await signin.finishSignIn(key.get(options), cookie));
    assert.equal(lastFailure(signin)?.detail.reason, "signature");
    assert.equal((await signin.ask("DELETE", `/auth/passkeys/${body.id}`, { bearer })).status, 204);
    assertRejected(await signin.signIn(key));
    assert.equal(lastFailure(signin)?.detail.reason, "unknown_passkey");
    const trail = await signin.rows(
      "SELECT detail_json FROM audit_events WHERE type = 'login.failure'",
    );
    assert.equal(trail.length, 1, "strangers write no rows");
  });
});

describe("the counter of a passkey", () => {
  it("may rise, and may stay at zero; one that falls back or stays is refused and recorded", async () => {
    await using signin = await createPasskeySignin();
    const { bearer, userId } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    const stored = async () => (await signin.rows("SELECT counter FROM passkeys"))[0]?.counter;
    for (const [counter, outcome] of [
      [0, 200],
      [0, 200],
      [7, 200],
      [8, 200],
      [8, 401],
      [7, 401],
      [0, 401],
      [4_294_967_295, 200],
      [9, 401],
    ] as const) {
      const before = await stored();
      const answer = await signin.signIn(key, { counter });
      assert.equal(answer.status, outcome, `${before} to ${counter}`);
      assert.equal(await stored(), outcome === 200 ? counter : before);
      if (outcome === 200) continue;
      assertRejected(answer);
      assert.deepEqual(
        signin.audited.slice(-2).map((event) => [event.type, event.userId, event.outcome]),
        [
          ["passkey.counter", userId, "failure"],
          ["login.failure", userId, "failure"],
        ],
      );
    }
  });

  it("is compared before a bad signature can move it", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    await signin.signIn(key, { counter: 5 });
    assertRejected(await signin.signIn(key, { counter: 3, signature: () => Buffer.alloc(8) }));
    assert.equal(lastFailure(signin)?.detail.reason, "signature");
  });

  it("follows whether the passkey is backed up", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device("EdDSA", true);
    await signin.register(bearer, key);
    await signin.signIn(key, { flags: (flags) => flags & ~0x10 });
    const { body } = await signin.get("/auth/passkeys", bearer);
    assert.equal(body.passkeys[0].backed_up, false);
  });
});
