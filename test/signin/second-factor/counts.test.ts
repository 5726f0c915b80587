// Slow: it makes hundreds of attempts.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createFactorSignin,
  DOORS,
  EMAIL,
  type FactorAccount,
  outcome,
  REJECTED,
} from "../../support/signin/second-factor.ts";
import type { Answer } from "../../support/signin/users.ts";

describe("the counts of wrong guesses", () => {
  const guess = async ({ logIn }: FactorAccount, code: string) => outcome(await logIn(code));
  const LIMITED = [429, "rate_limited"];

  it("are of the account, over all doors: ten an hour, which a right code does not give back", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount(EMAIL);
    const doors: ((second_factor?: string) => Promise<Answer>)[] = [];
    for (const open of Object.values(DOORS)) doors.push(await open(signin, EMAIL));
    for (let at = 0; at < 9; at += 1) {
      assert.deepEqual(outcome((await doors[at % 3]?.(account.wrong())) as Answer), REJECTED);
    }
    assert.equal((await account.logIn(account.nextCode())).status, 200);
    assert.deepEqual(await guess(account, account.wrong()), REJECTED);
    const full = await account.logIn(account.nextCode());
    assert.deepEqual(outcome(full), LIMITED);
    assert.ok(Number(full.headers.get("retry-after")) > 3000);
    const { bearer } = account;
    const proof = await signin.post(
      "/auth/reauthenticate",
      { second_factor: account.code() },
      { bearer },
    );
    assert.deepEqual(outcome(proof), LIMITED);
    assert.equal((await account.logIn(account.recoveryCodes[0])).status, 200, "has its own count");
    signin.deps.clock.advance(3_600_000);
    assert.equal((await account.logIn(account.code())).status, 200);
  });

  it("of recovery codes are ten an hour, too, and leave those of the app alone", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount();
    for (let at = 0; at < 10; at += 1) {
      assert.deepEqual(await guess(account, `${at}ZZZ-ZZZZ-ZZZZ-ZZZZ`), REJECTED);
    }
    assert.deepEqual(await guess(account, account.recoveryCodes[0] ?? ""), LIMITED);
    assert.equal((await account.logIn(account.nextCode())).status, 200);
  });

  it("end the codes of the app after a hundred in a row, until a recovery code is used", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount();
    for (let at = 0; at < 100; at += 1) {
      if (at % 10 === 0) signin.deps.clock.advance(3_600_000);
      assert.deepEqual(await guess(account, account.wrong()), REJECTED, String(at));
    }
    signin.deps.clock.advance(3_600_000);
    const locked = await account.logIn(account.code());
    assert.deepEqual(outcome(locked), REJECTED);
    assert.match(locked.body.details, /only a recovery code/);
    assert.equal((await account.logIn(account.recoveryCodes[0])).status, 200);
    assert.equal((await account.logIn(account.nextCode())).status, 200);
  });

  it("are kept by guesses at once: of forty at most ten are judged", async () => {
    await using signin = await createFactorSignin();
    const account = await signin.openFactorAccount();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => account.logIn(account.wrong())),
    );
    const judged = answers.filter(({ body }) => body.code === "second_factor_rejected");
    assert.equal(judged.length, 10);
  });
});
