import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PASSWORD, type SigninHarness, type Tokens } from "../../support/signin/harness.ts";
import { assertSafe } from "../../support/signin/refusals.ts";
import { type Answer, assertRefused, type UserAgent } from "../../support/signin/user-agent.ts";

const JSON_PLEASE = { headers: { Accept: "application/json" } };

/** Family D: accounts, addresses and emailed codes. */
export function accountTests(harness: () => SigninHarness): void {
  const newEmail = (w: SigninHarness) => `d${w.next()}@example.test`;
  const askCode = async (w: SigninHarness, agent: UserAgent, email: string) => {
    assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
    return w.mailbox.codeFor(email);
  };
  const complete = (agent: UserAgent, email: string, code: string, password = PASSWORD) =>
    agent.post("/auth/signup/complete", { email, code, password });
  const wrong = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");
  /** The limiter lets one code a minute out: time goes on. */
  /** As a minute later. */
  const later = async (w: SigninHarness) => {
    await w.signin.sql("DELETE FROM rate_limits");
    await w.signin.sql("UPDATE email_codes SET expires_at = expires_at - 61");
  };

  describe("D. accounts", () => {
    it("D1 an address gets no account without the code that was sent there", async () => {
      const w = harness();
      const agent = w.agent();
      const email = newEmail(w);
      const code = await askCode(w, agent, email);
      for (const guess of [wrong(code), "", "00000000", code.slice(0, 7), `${code}0`]) {
        await assertSafe(w, () => complete(agent, email, guess), [400]);
      }
    });

    for (const provider of ["google", "github"] as const) {
      it(`D2 ${provider}: an identity with the address of an account is not linked silently: 409`, async () => {
        const w = harness();
        const { email } = await w.signUp();
        const spelled = email.replace("person", "PERSON");
        if (provider === "google") w.newOidcPerson({ email: spelled });
        else w.newGithubPerson([{ email: spelled, verified: true, primary: true }]);
        const agent = w.agent();
        const callback = await w.consent(await w.begin(agent, provider));
        const answer = await assertSafe(w, () => agent.get(callback, JSON_PLEASE), [409]);
        assert.equal(answer.json<{ code: string }>().code, "account_exists");
      });
    }

    it("D3 what is answered never says whether an address has an account", async () => {
      const w = harness();
      const agent = w.agent();
      const { email: known } = await w.signUp();
      const unknown = newEmail(w);
      for (const path of ["/auth/signup/code", "/auth/password/reset/code"]) {
        await later(w);
        const answers: Answer[] = [];
        for (const email of [known, unknown]) answers.push(await agent.post(path, { email }));
        assert.deepEqual(
          answers.map(({ status, text }) => [status, text]),
          [0, 1].map(() => [200, answers[0]?.text]),
        );
      }
      const logins = [];
      for (const email of [known, unknown]) {
        const answer = await agent.post("/auth/login", { email, password: "wrong password 99" });
        const { request_id: _, ...body } = answer.json<Record<string, unknown>>();
        logins.push([answer.status, body]);
      }
      assert.deepEqual(logins[0], logins[1]);
      assert.match(JSON.stringify(logins[0]), /"invalid_credentials"/);
      assert.equal(
        w.mailbox.mails.some(({ to, subject }) => to === unknown && /reset/i.test(subject)),
        false,
        "no reset for an address without an account",
      );
    });

    it("D4 five wrong guesses end a code, and the right one comes too late", async () => {
      const w = harness();
      const agent = w.agent();
      const email = newEmail(w);
      const code = await askCode(w, agent, email);
      for (let guess = 0; guess < 5; guess += 1) {
        assertRefused(await complete(agent, email, wrong(code)), 400, "invalid_code");
      }
      await assertSafe(w, () => complete(agent, email, code), [400]);
      // The next one is mailed at once.
      const next = await askCode(w, agent, email);
      assert.notEqual(next, code);
      assert.equal((await complete(agent, email, next)).status, 200);
    });

    it("D4 after 20 wrong guesses in a day a long code is mailed", async () => {
      const w = harness();
      const email = newEmail(w);
      const code = await askCode(w, w.agent(), email);
      for (let guess = 0; guess < 20; guess += 1) {
        assertRefused(await complete(w.agent(), email, wrong(code)), 400, "invalid_code");
      }
      await w.agent().post("/auth/signup/code", { email });
      const { text } = await w.mailbox.until(
        (mail) => mail.to === email && /24 hours/.test(mail.text),
      );
      const long = /\b[0-9A-HJKMNP-TV-Z]{26}\b/.exec(text)?.[0] ?? "";
      w.secrets.add(long);
      const pasted = long.toLowerCase().replace(/(.{5})/g, "$1-");
      assert.equal((await complete(w.agent(), email, pasted)).status, 200);
    });

    it("D5 a new code takes the place of the old one", async () => {
      const w = harness();
      const agent = w.agent();
      const email = newEmail(w);
      const old = await askCode(w, agent, email);
      await later(w);
      const fresh = await askCode(w, agent, email);
      assertRefused(await complete(agent, email, old), 400, "invalid_code");
      assert.equal((await complete(agent, email, fresh)).status, 200);
      assertRefused(await complete(agent, email, fresh), 400);
    });

    it("D6 a code is good for its purpose, its address and ten minutes alone", async () => {
      const w = harness();
      const agent = w.agent();
      const { email: known } = await w.signUp();
      const [mine, other] = [newEmail(w), newEmail(w)];
      const signUpCode = await askCode(w, agent, mine);
      assertRefused(await complete(agent, other, signUpCode), 400, "invalid_code");
      await agent.post("/auth/password/reset/code", { email: known });
      const resetCode = await w.mailbox.codeFor(known);
      assertRefused(await complete(agent, known, resetCode), 400, "invalid_code");
      const reset = { email: mine, code: signUpCode, password: PASSWORD };
      assertRefused(await agent.post("/auth/password/reset/complete", reset), 400, "invalid_code");
      await w.signin.sql("UPDATE email_codes SET expires_at = expires_at - 601");
      assertRefused(await complete(agent, mine, signUpCode), 400, "invalid_code");
    });

    it("D7 mail cannot be used to flood an address: over the limit 200 all the same, and no mail", async () => {
      const w = harness();
      const email = newEmail(w);
      for (let ask = 0; ask < 4; ask += 1) {
        assert.equal((await w.agent().post("/auth/signup/code", { email })).status, 200);
      }
      await w.mailbox.codeFor(email);
      assert.equal(w.mailbox.mails.filter(({ to }) => to === email).length, 1);
    });

    it("D8 no code stands in a subject", () => {
      for (const { subject, from } of harness().mailbox.mails) {
        assert.doesNotMatch(subject, /\d{6}/);
        assert.ok(from);
      }
    });

    it("D9 passwords: 10 to 256 characters, not common, no white space at the ends, verified exactly", async () => {
      const w = harness();
      const agent = w.agent();
      const email = newEmail(w);
      const code = await askCode(w, agent, email);
      const refused = [
        "short 123",
        "x".repeat(257),
        "1234567890",
        "password123",
        " leading white",
        "trailing tab\t",
      ];
      for (const password of refused) {
        assertRefused(await complete(agent, email, code, password), 400, "invalid_request");
      }
      const password = "Zażółć gęślą jaźń \u{1F511} e\u0301";
      w.secrets.add(password);
      assert.equal(
        (await complete(agent, email, code, password)).status,
        200,
        "and costs no guess",
      );
      for (const near of [password.toLowerCase(), password.normalize("NFC"), `${password}x`]) {
        assertRefused(await agent.post("/auth/login", { email, password: near }), 401);
      }
      assert.equal((await agent.post("/auth/login", { email, password })).status, 200);
    });

    it("D10 guessing passwords ends in 429 with Retry-After, for the address and for the client", async () => {
      const w = harness();
      const { email } = await w.signUp();
      const agent = w.agent();
      const statuses = [];
      for (let guess = 0; guess < 7; guess += 1) {
        const answer = await agent.post("/auth/login", { email, password: `wrong guess ${guess}` });
        statuses.push(answer.status);
        if (answer.status === 429) assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
      const locked = await agent.post("/auth/login", { email, password: PASSWORD });
      assert.equal(locked.status, 429, "the right password, too");
      const elsewhere = await w.agent().post("/auth/login", { email, password: PASSWORD });
      assert.equal(elsewhere.status, 200, "and the person is not locked out elsewhere");
    });

    it("D11 one account for an address, however it is spelled", async () => {
      const w = harness();
      const { email, user } = await w.signUp();
      const spelled = email.toUpperCase();
      const login = await w
        .agent()
        .post("/auth/login", { email: ` ${spelled} `.trim(), password: PASSWORD });
      assert.equal(login.json<Tokens>().user.id, user.id);
    });

    it("D12 addresses that are none are refused, and reach no mail", async () => {
      const w = harness();
      const bad = [
        "",
        "x",
        "a@",
        "@b.test",
        "a b@example.test",
        "a@example.test\r\nBcc: b@example.test",
        `${"a".repeat(250)}@example.test`,
        7,
        null,
      ];
      for (const email of bad) {
        assertRefused(await w.agent().post("/auth/signup/code", { email }), 400, "invalid_request");
      }
      // Notices of earlier tests may arrive meanwhile, at the addresses of those.
      const addresses = new Set<unknown>([...bad, "b@example.test"]);
      assert.deepEqual(
        w.mailbox.mails.filter(({ to }) => addresses.has(to) || /Bcc|,/i.test(to)),
        [],
      );
    });

    it("D13 a key-based provider never signs anybody in, also where it is the only connection", async () => {
      const w = harness();
      const { access_token: bearer, user } = await w.signUp();
      const body = { provider_slug: "gemini", api_key: "AIzaCanaryCanaryCanaryCanaryCanaryCanary" };
      w.secrets.add(body.api_key);
      assert.equal((await w.agent().post("/auth/apikey", body, { bearer })).status, 200);
      assertRefused(await w.agent().get("/auth/gemini/login"), 404);
      assertRefused(await w.agent().get("/auth/gemini/login?mode=link", { bearer }), 404);
      const me = (await w.me(bearer)).json<{ id: string; has_password: boolean }>();
      assert.equal(me.id, user.id);
      assert.equal(me.has_password, true);
    });

    it("D14 an account without a password cannot be entered by one, and a reset gives it one", async () => {
      const w = harness();
      const tokens = await w.openBrowserSession(w.agent(), "google");
      const { email } = tokens.user;
      assertRefused(await w.agent().post("/auth/login", { email, password: PASSWORD }), 401);
      assert.equal((await w.agent().post("/auth/password/reset/code", { email })).status, 200);
      const code = await w.mailbox.codeFor(email);
      const reset = { email, code, password: PASSWORD };
      const answer = await w.agent().post("/auth/password/reset/complete", reset);
      assert.equal(answer.json<Tokens>().user.id, tokens.user.id);
    });
  });
}
