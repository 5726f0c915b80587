import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findUser } from "../../../signin/cli/admin-store.ts";
import { beginFlow, openCallback, refusalOf } from "../../support/signin/flows.ts";
import { createSigninWithUsers, PASSWORD } from "../../support/signin/users.ts";

const WIDE = "bomb@ｅｘａｍｐｌｅ.com";
const PLAIN = "bomb@example.com";

/** An account as an earlier version stored it: its norm has the domain as it was written. */
const FORMER = "ann@bücher.example";

async function createWithFormer() {
  const signin = await createSigninWithUsers();
  await signin.db.$client.execute({
    sql: `INSERT INTO users (id, email, email_norm, password_hash, created_at, updated_at)
          VALUES ('u1', ?1, ?1, ?2, 1, 1)`,
    args: [FORMER, `plain:${PASSWORD}`],
  });
  return signin;
}

describe("the spellings of one mailbox", () => {
  it("share the limits of mail", async () => {
    await using signin = await createSigninWithUsers();
    for (const [at, email] of [PLAIN, WIDE, "bomb@ｅxample.com", "BOMB@example.COM"].entries()) {
      await signin.post("/auth/signup/code", { email }, { from: { address: `198.51.${at}.1` } });
    }
    assert.equal(signin.mails.length, 1);
  });

  it("are one account", async () => {
    await using signin = await createSigninWithUsers();
    const { user } = await signin.signUp(PLAIN);
    const login = await signin.post("/auth/login", { email: WIDE, password: PASSWORD });
    assert.equal(login.body.user.id, user.id);
    await signin.post("/auth/signup/code", { email: WIDE });
    assert.match(signin.mails.at(-1)?.text ?? "", /already has one/);
  });
});

describe("an account whose norm is of an earlier version", () => {
  it("is found by a login, a reset and the operator", async () => {
    await using signin = await createWithFormer();
    const login = await signin.post("/auth/login", { email: FORMER, password: PASSWORD });
    assert.equal(login.body.user.id, "u1");
    assert.equal((await findUser(signin.db, FORMER))?.id, "u1");
    await signin.post("/auth/password/reset/code", { email: FORMER });
    const body = { email: FORMER, code: signin.codeFor(FORMER), password: "another fine phrase" };
    const reset = await signin.post("/auth/password/reset/complete", body);
    assert.equal(reset.body.user.id, "u1");
  });

  it("is not made a second time, neither by a code nor by a provider", async () => {
    await using signin = await createWithFormer();
    await signin.post("/auth/signup/code", { email: FORMER });
    assert.match(signin.mails.at(-1)?.text ?? "", /already has one/);
    const flow = await beginFlow(signin);
    const answer = await openCallback(signin, flow, { subject: "7", email: FORMER });
    assert.equal(await refusalOf(answer), "409 account_exists");
    assert.equal((await signin.rows("SELECT id FROM users")).length, 1);
  });

  it("keeps no mailed code past a new password or its deletion", async () => {
    await using signin = await createWithFormer();
    const login = { email: FORMER, password: PASSWORD };
    const bearer: string = (await signin.post("/auth/login", login)).body.access_token;
    await signin.post("/auth/login/code", { email: FORMER });
    const code = signin.codeFor(FORMER);
    const change = { current_password: PASSWORD, new_password: "another fine phrase" };
    assert.equal((await signin.post("/auth/password", change, { bearer })).status, 204);
    const late = await signin.post("/auth/login/code/complete", { email: FORMER, code });
    assert.equal(late.body.code, "invalid_code");

    const body = { password: "another fine phrase" };
    assert.equal((await signin.call("DELETE", "/auth/me", { bearer, body })).status, 204);
    assert.deepEqual(await signin.rows("SELECT email_norm FROM email_codes"), []);
  });
});
