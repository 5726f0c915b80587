import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type CreateOptions,
  type GetOptions,
  SoftAuthenticator,
} from "../../support/signin/authenticator.ts";
import { PASSWORD, type SigninHarness, type Tokens } from "../../support/signin/harness.ts";
import type { Answer, UserAgent } from "../../support/signin/user-agent.ts";
import { until } from "../../support/time.ts";

const AT_ONCE = 5;
const STRANGERS = 300;

/** Fresh proof of an account, and what ends with a way to sign in, on any database: the statements decide, however far it is. */
export function proofTests(harness: () => SigninHarness): void {
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
  const atOnce = (work: () => Promise<Answer>) =>
    Promise.all(Array.from({ length: AT_ONCE }, work));

  const passkeyOptions = async (agent: UserAgent) =>
    (await agent.ask("/auth/passkey/options", { method: "POST" })).json<GetOptions>();

  const openAccount = async () => {
    const w = harness();
    const agent = w.agent();
    const { access_token: bearer, refresh_token, user, email } = await w.signUp(agent);
    const key = new SoftAuthenticator({ origin: w.signin.baseUrl });
    const post = (path: string, json?: object) => agent.post(path, json, { bearer });
    const options = await agent.ask("/auth/passkeys/options", { method: "POST", bearer });
    assert.equal(options.status, 200, options.text);
    const credential = key.create(options.json<CreateOptions>());
    const added = await post("/auth/passkeys", { credential, label: "Key" });
    assert.equal(added.status, 200, added.text);
    return {
      ...{ w, agent, bearer, refresh_token, user, email, key, post },
      passkeyPath: `/auth/passkeys/${added.json<{ id: string }>().id}`,
      isFresh: async () =>
        (await agent.ask("/auth/passkeys/options", { method: "POST", bearer })).status === 200,
      makeOld: () =>
        w.signin.sql("UPDATE sessions SET proven_at = 1 WHERE user_id = ? RETURNING id", [user.id]),
    };
  };

  describe("a fresh proof", () => {
    it("is asked for, and a password, a mailed code and a passkey give it, the last two once", async () => {
      const account = await openAccount();
      const { w, agent, bearer, email, key, post, passkeyPath } = account;
      await account.makeOld();
      for (const [method, path, json] of [
        ["POST", "/auth/email/code", { email: "thief@example.test" }],
        ["POST", "/auth/passkeys/options", undefined],
        ["DELETE", passkeyPath, undefined],
        ["DELETE", "/auth/me", undefined],
      ] as const) {
        const refused = await agent.ask(path, { method, bearer, ...(json && { json }) });
        assert.equal(refused.status, 403, refused.text);
        assert.deepEqual(refused.json().ways, ["password", "code", "passkey"], path);
      }
      assert.equal((await post("/auth/reauthenticate", { password: PASSWORD })).status, 200);
      assert.equal(await account.isFresh(), true);

      await account.makeOld();
      const sent = await agent.ask("/auth/reauthenticate/code", { method: "POST", bearer });
      assert.equal(sent.status, 200, sent.text);
      const code = await w.mailbox.codeFor(email);
      const byCode = await atOnce(() => post("/auth/reauthenticate", { code }));
      assert.deepEqual(statuses(byCode), [200, 400, 400, 400, 400]);

      await account.makeOld();
      const credential = key.get(await passkeyOptions(agent));
      const byPasskey = await atOnce(() => post("/auth/reauthenticate", { credential }));
      assert.deepEqual(statuses(byPasskey), [200, 400, 400, 400, 400]);
      assert.equal(await account.isFresh(), true);
    });

    it("goes with the passkey that is removed: the sessions that it began end", async () => {
      const { w, agent, bearer, key, passkeyPath } = await openAccount();
      const other = w.agent();
      const credential = key.get(await passkeyOptions(other));
      const signedIn = await other.post("/auth/passkey", { credential, native: true });
      assert.equal(signedIn.status, 200, signedIn.text);
      const began = signedIn.json<Tokens>();
      const removed = await agent.ask(passkeyPath, { method: "DELETE", bearer });
      assert.equal(removed.status, 204, removed.text);
      assert.equal((await w.me(began.access_token)).status, 401);
      assert.equal((await w.refresh(began.refresh_token)).status, 401);
      assert.equal((await w.me(bearer)).status, 200);
    });

    it("gives an address that two accounts want at once to one", async () => {
      const [first, second] = [await openAccount(), await openAccount()];
      const email = `wanted${first.w.next()}@example.test`;
      assert.equal((await first.post("/auth/email/code", { email })).status, 200);
      const body = { email, code: await first.w.mailbox.codeFor(email) };
      const answers = await Promise.all(
        [first, second].map(({ post }) => post("/auth/email/complete", body)),
      );
      assert.deepEqual(statuses(answers), [204, 400], answers.map(({ text }) => text).join(" "));
      assert.equal(await first.w.count("users", "email = ?", [email]), 1);
    });

    it("leaves no code behind where an account is deleted while one is asked for", async () => {
      const { w, agent, bearer, user } = await openAccount();
      const ask = (method: string, path: string) => agent.ask(path, { method, bearer });
      const [deleted] = await Promise.all([
        ask("DELETE", "/auth/me"),
        ask("POST", "/auth/password/code"),
        ask("POST", "/auth/reauthenticate/code"),
      ]);
      assert.equal(deleted.status, 204, deleted.text);
      assert.equal(await w.count("email_codes", "email_norm = ?", [user.id]), 0);
    });

    it("is in the activity, however many refusals strangers cause", async () => {
      const { w, agent, bearer, user } = await openAccount();
      // The trail is written after the response.
      await until("The event of the passkey", async () => {
        const written = await w.count("audit_events", "user_id = ? AND type = 'passkey.added'", [
          user.id,
        ]);
        return written > 0 || undefined;
      });
      await w.signin.sql(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${STRANGERS})
         INSERT INTO audit_events (at, type, user_id, outcome)
         SELECT 2000000000 + i, 'login.failure', ?, 'failure' FROM n RETURNING id`,
        [user.id],
      );
      const { events } = (await agent.get("/auth/events", { bearer })).json<{
        events: { type: string }[];
      }>();
      assert.equal(events.filter(({ type }) => type === "login.failure").length < 100, true);
      assert.ok(events.some(({ type }) => type === "passkey.added"));
    });

    it("is of no use to a disabled account, until it is enabled", async () => {
      const { w, agent, bearer, refresh_token, user, email, key } = await openAccount();
      const update = (sql: string) => w.signin.sql(`UPDATE ${sql} = ? RETURNING id`, [user.id]);
      const logIn = () => agent.post("/auth/login", { email, password: PASSWORD });
      // As the operator's command does.
      await update("users SET disabled_at = 1 WHERE id");
      await update("sessions SET revoked_at = 1, revoke_reason = 'admin' WHERE user_id");
      const credential = key.get(await passkeyOptions(agent));
      const refused = [
        await logIn(),
        await agent.post("/auth/passkey", { credential, native: true }),
      ];
      for (const answer of refused) {
        assert.deepEqual([answer.status, answer.json().code], [403, "account_disabled"]);
      }
      assert.equal((await w.me(bearer)).status, 401);
      assert.equal((await w.refresh(refresh_token)).status, 401);
      await update("users SET disabled_at = NULL WHERE id");
      assert.equal((await logIn()).status, 200);
    });
  });
}
