// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  countStatus,
  link,
  obtainNativeCode,
  openCallback,
  signIn,
  signInNative,
} from "../../support/signin/flows.ts";
import { createTestSignin } from "../../support/signin/signin.ts";

const emails = [{ email: "ada@example.test", primary: true, verified: true }];

describe("accounts under concurrency", () => {
  it("are one for an address: of 30 first sign-ins by two providers, one provider wins", async () => {
    await using signin = await createTestSignin();
    const flows = await Promise.all(
      Array.from({ length: 30 }, (_, at) => beginFlow(signin, at % 2 ? "google" : "github")),
    );
    const answers = await Promise.all(
      flows.map((flow) => openCallback(signin, flow, { subject: "7", emails })),
    );
    assert.equal(countStatus(answers, 302), 15);
    assert.equal(countStatus(answers, 409), 15);
    assert.equal((await signin.rows("SELECT 1 FROM users")).length, 1);
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });

  it("share no identity: of 25 accounts that link one at once, one gets it", async () => {
    await using signin = await createTestSignin();
    const users = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        signInNative(signin, { subject: `s${at}`, email: `p${at}@example.test` }),
      ),
    );
    // A new minute for the limit of flows.
    signin.deps.clock.advance(60_000);
    const answers = await Promise.all(
      users.map(({ access_token }) => link(signin, access_token, { subject: "77" })),
    );
    assert.equal(countStatus(answers, 302), 1);
    assert.equal(countStatus(answers, 409), 24);
    const owners = await signin.rows("SELECT user_id FROM identities WHERE provider = 'github'");
    assert.equal(owners.length, 1);
  });

  it("take one identity of a provider: of 25 links at once, one stays", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => link(signin, accessToken, { subject: `${100 + at}` })),
    );
    assert.equal(countStatus(answers, 302), 1);
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 2);
  });

  it("keep at most twenty sessions, however many begin at once", async () => {
    await using signin = await createTestSignin();
    const codes = await Promise.all(Array.from({ length: 29 }, () => obtainNativeCode(signin)));
    const answers = await Promise.all(
      codes.map(({ code, verifier }) =>
        signin.call("POST", "/auth/native/token", { body: { code, code_verifier: verifier } }),
      ),
    );
    assert.equal(countStatus(answers, 200), 29);
    const live = await signin.rows("SELECT 1 FROM sessions WHERE revoked_at IS NULL");
    assert.equal(live.length, 20);
  });
});
