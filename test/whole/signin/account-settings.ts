import assert from "node:assert/strict";
import { it } from "node:test";
import type { SigninHarness } from "../../support/signin/harness.ts";

const NEW_ADDRESS = "new-life@example.test";

/** The whole life of an account, over real sockets. */
export function accountSettingsTests(harness: () => SigninHarness): void {
  it("a user signs in by code, changes name, password and address, exports, and deletes the account", async () => {
    const w = harness();
    const { access_token: bearer, user } = await w.openNativeSession();
    const agent = w.agent();
    const expect = async (status: number, method: string, path: string, body?: object) => {
      const headers = { "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers };
      const answer = await agent.ask(path, { method, bearer, ...sent });
      assert.equal(answer.status, status, `${path} ${answer.text}`);
      return answer;
    };
    await expect(200, "PATCH", "/auth/me", { display_name: "Zoë" });
    await expect(200, "POST", "/auth/login/code", { email: user.email });
    const login = { email: user.email, code: await w.mailbox.codeFor(user.email) };
    await expect(200, "POST", "/auth/login/code/complete", login);
    await expect(400, "POST", "/auth/login/code/complete", login);
    await expect(200, "POST", "/auth/password/code");
    const code = await w.mailbox.codeFor(user.email);
    await expect(204, "POST", "/auth/password", { code, new_password: "another fine phrase" });
    await expect(200, "POST", "/auth/email/code", { email: NEW_ADDRESS });
    const change = { email: NEW_ADDRESS, code: await w.mailbox.codeFor(NEW_ADDRESS) };
    await expect(204, "POST", "/auth/email/complete", change);
    const exported = await expect(200, "GET", "/auth/me/export");
    const { profile } = exported.json<{ profile: Record<string, unknown> }>();
    assert.deepEqual([profile.email, profile.display_name], [NEW_ADDRESS, "Zoë"]);
    await expect(204, "DELETE", "/auth/me");
    await expect(401, "GET", "/auth/me");
  });
}
