import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSigninWithUsers, send } from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";

describe("PATCH /auth/me", () => {
  it("changes the name that every answer shows, and null removes it", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer, refresh_token } = await signin.signUp(EMAIL);
    const other = await signin.signUp("bob@example.test");
    for (const [given, stored] of [
      ["  Ann Example ", "Ann Example"],
      ["名".repeat(100), "名".repeat(100)],
      [null, null],
    ]) {
      const body = { display_name: given, email: "evil@example.test", has_password: false };
      const changed = await send(signin, "PATCH", "/auth/me", { bearer, body });
      assert.equal(changed.status, 200, JSON.stringify(changed.body));
      assert.equal(changed.body.display_name, stored);
      assert.equal(changed.body.email, EMAIL);
      assert.deepEqual((await signin.get("/auth/me", bearer)).body, changed.body);
    }
    await send(signin, "PATCH", "/auth/me", { bearer, body: { display_name: "Ann" } });
    const refreshed = await signin.post("/auth/refresh", { refresh_token });
    assert.equal(refreshed.body.user.display_name, "Ann");
    assert.equal((await signin.get("/auth/me", other.access_token)).body.display_name, null);
  });

  it("refuses a name that is empty, too long or no line, and a missing one, by the field", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    for (const display_name of [
      "",
      "  ",
      "a".repeat(101),
      "a\nb",
      "a\u0000",
      "a\u2028b",
      "\u202egnp.exe",
      "\u2067a",
      "\ud800",
      5,
      undefined,
    ]) {
      const { status, body } = await send(signin, "PATCH", "/auth/me", {
        bearer,
        body: { display_name },
      });
      assert.deepEqual([status, body.code], [400, "invalid_request"], String(display_name));
      assert.match(body.details, /^display_name/);
    }
    assert.equal((await send(signin, "PATCH", "/auth/me", { body: {} })).status, 401);
  });

  it("is limited, so that no one fills the database's log", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const body = { display_name: "Ann" };
    for (let at = 0; at < 30; at += 1) {
      assert.equal((await send(signin, "PATCH", "/auth/me", { bearer, body })).status, 200);
    }
    const refused = await send(signin, "PATCH", "/auth/me", { bearer, body });
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
  });
});
