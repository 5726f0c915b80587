import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PASSWORD, type SigninHarness, type Tokens } from "../../support/signin/harness.ts";
import { assertRefused, type UserAgent } from "../../support/signin/user-agent.ts";
import { until } from "../../support/time.ts";

const NEW_PASSWORD = "another fine phrase 77";

/** Family P: passwords and codes against strangers and thieves. */
export function passwordTests(harness: () => SigninHarness): void {
  const ask = async (agent: UserAgent, email: string) => {
    assert.equal((await agent.post("/auth/password/reset/code", { email })).status, 200);
  };
  const complete = (agent: UserAgent, email: string, code: string) =>
    agent.post("/auth/password/reset/complete", { email, code, password: NEW_PASSWORD });
  const wrong = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");
  /** Waits for a mail of this subject to an address. */
  const untilMail = (w: SigninHarness, to: string, subject: RegExp) =>
    until("The mail", () =>
      w.mailbox.mails.find((mail) => mail.to === to && subject.test(mail.subject)),
    );

  describe("P. passwords and codes", () => {
    it("P1 logins with the old password that race a reset leave no session behind", async () => {
      const w = harness();
      const { email, user } = await w.signUp();
      w.secrets.add(NEW_PASSWORD);
      await ask(w.agent(), email);
      const code = await w.mailbox.codeFor(email);
      const logIn = () => w.agent().post("/auth/login", { email, password: PASSWORD });
      const before = [logIn(), logIn(), logIn()];
      const reset = complete(w.agent(), email, code);
      const logins = await Promise.all([...before, logIn()]);
      assert.equal((await reset).status, 200);
      const alive = await w.count("sessions", "user_id = ? AND revoked_at IS NULL", [user.id]);
      assert.equal(alive, 1, "the session of the reset alone");
      for (const login of logins.filter(({ status }) => status === 200)) {
        const { access_token } = login.json<Tokens>();
        assert.equal((await w.me(access_token)).status, 401);
      }
    });

    it("P2 a stranger neither supersedes the code of the minute nor keeps the owner out", async () => {
      const w = harness();
      const { email } = await w.signUp();
      const owner = w.agent();
      await ask(owner, email);
      const code = await w.mailbox.codeFor(email);
      await ask(w.agent(), email);
      for (let guess = 0; guess < 4; guess += 1) {
        assertRefused(await complete(w.agent(), email, wrong(code)), 400, "invalid_code");
      }
      assert.equal((await complete(owner, email, code)).status, 200);
      await ask(owner, email);
      const burnt = await w.mailbox.codeFor(email);
      for (let guess = 0; guess < 5; guess += 1) {
        assertRefused(await complete(w.agent(), email, wrong(burnt)), 400, "invalid_code");
      }
      assertRefused(await complete(owner, email, burnt), 400, "invalid_code");
      await ask(owner, email);
      assert.equal((await complete(owner, email, await w.mailbox.codeFor(email))).status, 200);
    });

    it("P3 completions are limited by client before anything else is written", async () => {
      const w = harness();
      const client = w.agent();
      // Earlier requests may still count their mails in the background.
      const rows = () =>
        w.count("rate_limits", "k NOT LIKE 'codePer%' AND k NOT LIKE 'codeMails%'");
      const before = await rows();
      const statuses = [];
      for (let at = 0; at < 40; at += 1) {
        const answer = await complete(client, `unknown${w.next()}@example.test`, "12345678");
        statuses.push(answer.status);
      }
      assert.deepEqual(statuses, [...Array(30).fill(400), ...Array(10).fill(429)]);
      assert.equal((await rows()) - before <= 3, true, "the client, its network and its block");
    });

    it("P4 linking, disconnecting, API keys and resets send a mail", async () => {
      const w = harness();
      const agent = w.agent();
      const { email, access_token: bearer } = await w.signUp(agent);
      w.newGithubPerson();
      const begun = await agent.get("/auth/github/login?mode=link", { bearer });
      const { url } = begun.json<{ url: string }>();
      assert.equal((await agent.get(await w.consent(url))).status, 302);
      const linked = await untilMail(w, email, /way to sign in was added/);
      assert.match(linked.text, /- password\n- github, since /);
      const key = "sk-canary-notice-0123456789abcdef";
      w.secrets.add(key);
      const body = { provider_slug: "openai", api_key: key };
      assert.equal((await agent.post("/auth/apikey", body, { bearer })).status, 200);
      assert.equal((await untilMail(w, email, /API key was connected/)).text.includes(key), false);
      await ask(agent, email);
      const code = await w.mailbox.codeFor(email);
      assert.equal((await complete(agent, email, code)).status, 200);
      const told = await untilMail(w, email, /password was changed/);
      assert.match(told.text, /- github, since /);
      assert.match(told.text, /does not remove providers/);
    });

    it("P5 an owner is not locked out by strangers' failures", async () => {
      const w = harness();
      const owner = w.agent();
      const { email } = await w.signUp(owner);
      const failure = await w.agent().post("/auth/login", { email, password: "a wrong one 1" });
      assert.equal(failure.status, 401);
      // As after fifty of them.
      await w.signin.sql("UPDATE rate_limits SET n = 50 WHERE k LIKE 'loginPerEmail:%'");
      const login = { email, password: PASSWORD };
      assertRefused(await w.agent().post("/auth/login", login), 429, "rate_limited");
      assert.equal((await owner.post("/auth/login", login)).status, 200);
    });

    it("P6 spellings of one mailbox share one account and one limit", async () => {
      const w = harness();
      const { user, email } = await w.signUp();
      const wide = email.replace("example", "ｅｘａｍｐｌｅ");
      const login = await w.agent().post("/auth/login", { email: wide, password: PASSWORD });
      assert.equal(login.json<Tokens>().user.id, user.id);
      for (const bad of [
        "a\u202eb@example.test",
        "a\ud800b@example.test",
        "a\u200bb@example.test",
      ]) {
        assertRefused(await w.agent().post("/auth/signup/code", { email: bad }), 400);
      }
    });

    it("P7 an unknown address causes the writes of a known one", async () => {
      const w = harness();
      const { email: known } = await w.signUp();
      const recorded = () => w.count("audit_events", "type = 'password.reset_code_sent'");
      for (const email of [known, `unknown${w.next()}@example.test`]) {
        const before = await recorded();
        await ask(w.agent(), email);
        // Background work: both paths end with the event.
        await until("The event", async () => (await recorded()) !== before);
        assert.equal(
          await w.count("email_codes", "email_norm = ? AND purpose = 'reset'", [email]),
          1,
        );
      }
    });
  });
}
