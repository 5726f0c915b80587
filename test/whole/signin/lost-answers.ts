import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newVerifier, type SigninHarness, type Tokens } from "../../support/signin/harness.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";
import { until } from "../../support/time.ts";

/** The live sessions of the person with an address. */
const MINE = "user_id = (SELECT id FROM users WHERE email_norm = ?) AND revoked_at IS NULL";

/** What was done and never heard of: a retry ends signed in, or is cleanly refused. */
export function lostAnswerTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  const counterOf = async (w: SigninHarness, userId: string) => {
    const [row] = await w.signin.sql("SELECT counter FROM sessions WHERE user_id = ?", [userId]);
    return Number(row?.counter);
  };

  describe("lost answers", () => {
    it("a refresh whose client hung up: the retry gets the successor", async () => {
      const w = harness();
      const { refresh_token, user } = await w.openNativeSession();
      await w.agent().askAndHangUp("/auth/refresh", { json: { refresh_token } });
      await until("The rotation", async () => (await counterOf(w, user.id)) === 1 || undefined);
      const retry = await w.refresh(refresh_token);
      assert.equal(retry.status, 200, retry.text);
      assert.equal((await w.refresh(retry.json<Tokens>().refresh_token)).status, 200);
    });

    it("an exchange whose client hung up: the retry is refused, and leaves no session behind", async () => {
      const w = harness();
      const verifier = newVerifier();
      const { code } = await w.nativeCode(verifier);
      const spent = async () => (await w.count("native_codes", "consumed_at IS NOT NULL")) > before;
      const before = await w.count("native_codes", "consumed_at IS NOT NULL");
      await w
        .agent()
        .askAndHangUp("/auth/native/token", { json: { code, code_verifier: verifier } });
      await until("The use of the code", async () => (await spent()) || undefined);
      assertRefused(await w.exchange(code, verifier), 400, "invalid_grant");
      assert.equal(await w.count("sessions", MINE, [String(w.oidc.person.email)]), 0);
    });

    if (runtime.name === "node") return;

    it("a refresh whose database answer was lost after the commit: an error, then the retry gets the successor", async () => {
      const w = harness();
      const { refresh_token, user } = await w.openNativeSession();
      const lost = w.signin.failNext!("lose-answer", (sql) => /update\W+sessions/i.test(sql));
      const failed = await w.refresh(refresh_token);
      await lost;
      assert.equal(failed.status >= 500, true, `${failed.status}`);
      assert.equal(await counterOf(w, user.id), 1, "it was committed");
      const retry = await w.refresh(refresh_token);
      assert.equal(retry.status, 200, retry.text);
      assert.equal((await w.me(retry.json<Tokens>().access_token)).status, 200);
    });

    it("an exchange whose database answer was lost: an error, then a clean refusal or tokens, never two sessions", async () => {
      const w = harness();
      const verifier = newVerifier();
      const { code } = await w.nativeCode(verifier);
      const lost = w.signin.failNext!("lose-answer", (sql) => /update\W+native_codes/i.test(sql));
      const failed = await w.exchange(code, verifier);
      await lost;
      assert.equal(failed.status >= 500, true, `${failed.status}`);
      const retry = await w.exchange(code, verifier);
      assert.equal([200, 400].includes(retry.status), true, retry.text);
      assert.equal((await w.count("sessions", MINE, [String(w.oidc.person.email)])) <= 1, true);
    });

    it("a callback whose database answer was lost: an error, and a second sign-in works", async () => {
      const w = harness();
      w.newOidcPerson();
      const agent = w.agent();
      const callback = await w.consent(await w.begin(agent, "google"));
      const lost = w.signin.failNext!("lose-answer", (sql) =>
        /insert\W+into\W+sessions/i.test(sql),
      );
      const failed = await agent.get(callback, { headers: { Accept: "application/json" } });
      await lost;
      assert.equal(failed.status >= 500, true, `${failed.status} ${failed.text}`);
      assert.doesNotMatch(failed.text, /libsql|hrana|fetch|SQL/i);
      assert.equal((await w.signInByBrowser(agent, "google")).status, 302);
    });

    it("a database that is away: 5xx with a plain body, never 401, and it recovers", async () => {
      const w = harness();
      const { access_token, refresh_token } = await w.openNativeSession();
      // The notice of a new device is read in the background.
      const isOfRequest = (sql: string) => /sessions/.test(sql) && !/earlier/.test(sql);
      for (const fault of ["lose-request", "unavailable"] as const) {
        for (const ask of [() => w.me(access_token), () => w.refresh(refresh_token)]) {
          const failed = w.signin.failNext!(fault, isOfRequest);
          const answer = await ask();
          await failed;
          assert.equal(answer.status >= 500, true, `${answer.status}`);
          assert.equal("error" in answer.json(), true);
        }
      }
      assert.equal((await w.me(access_token)).status, 200);
      assert.equal((await w.refresh(refresh_token)).status, 200);
    });
  });
}
