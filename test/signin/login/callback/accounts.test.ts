import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  keptCookies,
  openCallback,
  refusalOf,
  signIn,
} from "../../../support/signin/flows.ts";
import { createTestSignin } from "../../../support/signin/signin.ts";

describe("accounts", () => {
  it("are never linked by e-mail: a new identity with a known address is refused", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, { email: "ada@example.test" });
    const flow = await beginFlow(signin, "github");
    const response = await openCallback(signin, flow, {
      subject: "5",
      emails: [{ email: "ADA@example.test", primary: true, verified: true }],
    });
    assert.equal(await refusalOf(response), "409 account_exists");
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 1);
  });

  it("cannot be prepared for a victim with an address that is not verified", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    const response = await openCallback(signin, flow, {
      email: "victim@example.test",
      emailVerified: false,
    });
    assert.equal(await refusalOf(response), "403 email_unverified");
    assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
  });

  it("of two providers' equal subjects are two", async () => {
    await using signin = await createTestSignin();
    const google = await signIn(signin, { subject: "42", email: "a@example.test" });
    const github = await signIn(signin, {
      provider: "github",
      subject: "42",
      emails: [{ email: "b@example.test", verified: true }],
    });
    assert.notEqual(google.user.id, github.user.id);
  });
});

describe("a user who is deleted while signing in", () => {
  it("gets no session, and the server no fault", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    const { $client } = signin.db;
    const batch = $client.batch.bind($client);
    $client.batch = async (...args: Parameters<typeof batch>) => {
      await signin.rows("DELETE FROM users");
      return batch(...args);
    };
    const response = await openCallback(signin, await beginFlow(signin));
    assert.equal(await refusalOf(response), "401 session_expired");
    assert.deepEqual(keptCookies(response), []);
  });
});
