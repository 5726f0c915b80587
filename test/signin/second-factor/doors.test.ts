import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createFactorSignin,
  DOORS,
  EMAIL,
  type FactorSignin,
  NEW_PASSWORD,
  outcome,
  REJECTED,
  REQUIRED,
} from "../../support/signin/second-factor.ts";
import { PASSWORD } from "../../support/signin/users.ts";

/** Everything that a refused sign-in must leave as it is; the trail and the counted guesses may grow. */
const snapshot = (signin: FactorSignin) =>
  signin.rows(
    `SELECT (SELECT group_concat(id || coalesce(revoked_at, '')) FROM sessions) AS sessions,
       (SELECT group_concat(id || coalesce(consumed_at, '')) FROM email_codes) AS codes,
       (SELECT group_concat(password_hash) FROM users) AS passwords,
       (SELECT group_concat(last_step) FROM second_factors) AS steps,
       (SELECT count(*) FROM recovery_codes) AS recovery`,
  );

for (const [door, open] of Object.entries(DOORS)) {
  describe(`a sign-in with ${door}`, () => {
    it("asks for the second factor once the first is proven, and changes nothing until it is right", async () => {
      await using signin = await createFactorSignin();
      const account = await signin.openFactorAccount(EMAIL);
      const enter = await open(signin, EMAIL);
      const before = await snapshot(signin);
      assert.deepEqual(outcome(await enter()), REQUIRED);
      assert.deepEqual(outcome(await enter(account.wrong())), REJECTED);
      assert.deepEqual(outcome(await enter("ZZZZ-ZZZZ-ZZZZ-ZZZZ")), REJECTED);
      assert.equal((await enter("12 34")).status, 400);
      assert.deepEqual(await snapshot(signin), before);
      assert.equal((await enter(account.nextCode())).status, 200);
      const again = await enter(account.code());
      assert.notEqual(again.status, 200, "neither the step nor a mailed code is good twice");
    });

    it("takes a recovery code once, in any spelling", async () => {
      await using signin = await createFactorSignin();
      const account = await signin.openFactorAccount(EMAIL);
      const [first = "", second = ""] = account.recoveryCodes;
      const enter = await open(signin, EMAIL);
      assert.equal((await enter(first.toLowerCase().replaceAll("-", " "))).status, 200);
      const [left] = await signin.rows("SELECT count(*) AS n FROM recovery_codes");
      assert.equal(left?.n, 9);
      // The counts of the mailbox begin again.
      signin.deps.clock.advance(61_000);
      const next = await open(signin, EMAIL);
      const changed = door === "a password reset" ? NEW_PASSWORD : PASSWORD;
      assert.deepEqual(outcome(await account.logIn(first, changed)), REJECTED);
      assert.equal((await next(second)).status, 200);
    });

    it("lets one of several in that use the same step at once", async () => {
      await using signin = await createFactorSignin();
      const account = await signin.openFactorAccount(EMAIL);
      const enter = await open(signin, EMAIL);
      const code = account.nextCode();
      const answers = await Promise.all([enter(code), enter(code), enter(code)]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      const sessions = await signin.rows("SELECT 1 FROM sessions WHERE amr IS NOT NULL");
      assert.equal(sessions.length, 2, "the one that switched it on, and the new one");
    });
  });
}

describe("a stranger", () => {
  it("learns nothing of a second factor without the first one", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount(EMAIL);
    await signin.signUp("ben@example.test");
    for (const second_factor of [undefined, account.code(1), "000000"]) {
      const answers = await Promise.all(
        [EMAIL, "ben@example.test", "unknown@example.test"].map((email) =>
          Promise.all([
            signin.post("/auth/login", { email, password: "a wrong password", second_factor }),
            signin.post("/auth/login/code/complete", { email, code: "00000000", second_factor }),
            signin.post("/auth/password/reset/complete", {
              ...{ email, code: "00000000", password: NEW_PASSWORD, second_factor },
            }),
          ]),
        ),
      );
      const seen = answers.map((each) => each.map(outcome));
      const refused = [
        [401, "invalid_credentials"],
        [400, "invalid_code"],
        [400, "invalid_code"],
      ];
      assert.deepEqual(seen, [refused, refused, refused]);
    }
    const [row] = await signin.rows("SELECT codes, wrong_in_a_row FROM second_factors");
    assert.deepEqual(row, { codes: 0, wrong_in_a_row: 0 }, "and uses up no guess of the owner");
  });
});

it("without the key of its secret, a code of the app is a 503 that names the key in the log, and a recovery code signs in", async () => {
  await using before = await createFactorSignin();
  const account = await before.openFactorAccount(EMAIL);
  await using signin = await createFactorSignin(
    { TOKEN_ENCRYPTION_KEY: "HxwdHh8YGRobFBUWFxAREhMMDQ4PCAkKCwQFBgcAAQI" },
    { openDb: before.deps.openDb },
  );
  const logIn = (second_factor?: string) =>
    signin.post("/auth/login", { email: EMAIL, password: PASSWORD, second_factor });
  assert.deepEqual(outcome(await logIn(account.code())), [503, "second_factor_unavailable"]);
  assert.match(
    signin.logged.join("\n"),
    /"The secret of an authenticator app .* TOKEN_ENCRYPTION_KEY/,
  );
  assert.ok(!signin.audited.some(({ type }) => type === "second_factor.rejected"));
  assert.equal((await logIn(account.recoveryCodes[0])).status, 200);
});
