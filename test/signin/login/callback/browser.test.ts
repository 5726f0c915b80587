// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  countStatus,
  openCallback,
  refreshByCookie,
  signIn,
} from "../../../support/signin/flows.ts";
import { createTestSignin, UI_URL } from "../../../support/signin/signin.ts";

describe("a callback that belongs to the browser", () => {
  it("signs in: a refresh cookie for /auth, and back to the interface without any token", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    const response = await openCallback(signin, flow);
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("location"), `${UI_URL}?auth=success`);
    const [cleared = "", refresh = "", ...others] = response.headers.getSetCookie();
    assert.match(
      cleared,
      /^__Host-signin_f_[\w-]{8}=; Path=\/; Max-Age=0; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.match(
      refresh,
      /^__Secure-signin_rt=rt1\.[\w-]+; Path=\/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.deepEqual(others, []);
    const types = signin.audited.map(({ type }) => type);
    assert.deepEqual(types, ["identity.linked", "login.success", "session.created"]);
  });

  it("finds the account again by the provider's subject, whatever the address has become", async () => {
    await using signin = await createTestSignin();
    const first = await signIn(signin);
    const changed = { email: "other@example.test", emailVerified: false, name: "Other" };
    const second = await signIn(signin, changed);
    assert.equal(second.user.id, first.user.id);
    assert.equal(second.user.email, "ada@example.test");
  });

  it("begins a new session each time and leaves the old one alone", async () => {
    await using signin = await createTestSignin();
    const first = await signIn(signin);
    const second = await signIn(signin);
    assert.notEqual(first.cookie, second.cookie);
    await refreshByCookie(signin, first.cookie);
  });

  it("of several tabs works in each, in any order", async () => {
    await using signin = await createTestSignin();
    const flows = [await beginFlow(signin), await beginFlow(signin), await beginFlow(signin)];
    const cookie = flows.map((flow) => flow.cookie).join("; ");
    for (const { url } of flows.reverse()) {
      assert.equal((await openCallback(signin, { url, cookie })).status, 302);
    }
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 3);
  });

  it("of 25 at once, for one flow, succeeds exactly once", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    const callback = await signin.idp.authorize(flow.url);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signin.call("GET", callback, { cookie: flow.cookie })),
    );
    assert.equal(countStatus(answers, 302), 1);
    assert.equal(countStatus(answers, 400), 24);
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 1);
  });

  it("of 25 first sign-ins at once makes one account", async () => {
    await using signin = await createTestSignin();
    const flows = await Promise.all(Array.from({ length: 25 }, () => beginFlow(signin)));
    const answers = await Promise.all(flows.map((flow) => openCallback(signin, flow)));
    assert.equal(countStatus(answers, 302), 25);
    assert.equal((await signin.rows("SELECT 1 FROM users")).length, 1);
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });
});
