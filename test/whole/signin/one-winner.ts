import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  newVerifier,
  PASSWORD,
  type SigninHarness,
  type Tokens,
} from "../../support/signin/harness.ts";
import type { Answer } from "../../support/signin/user-agent.ts";

const AT_ONCE = 50;

/** Fifty at once, several times: each race has one winner. */
export function oneWinnerTests(harness: () => SigninHarness, times: number): void {
  const atOnce = (work: () => Promise<Answer>) =>
    Promise.all(Array.from({ length: AT_ONCE }, work));
  const winners = (answers: Answer[]) => answers.filter(({ status }) => status < 400);
  const assertNoFailure = (answers: Answer[]) => {
    for (const { status, text } of answers) assert.equal(status < 500, true, `${status} ${text}`);
  };

  describe(`${AT_ONCE} at once, ${times} times`, () => {
    for (let round = 1; round <= times; round += 1) {
      it(`exchanges of one code: one gets tokens (${round})`, async () => {
        const w = harness();
        const verifier = newVerifier();
        const { code } = await w.nativeCode(verifier);
        const answers = await atOnce(() => w.exchange(code, verifier));
        assertNoFailure(answers);
        assert.equal(winners(answers).length, 1);
      });

      it(`callbacks of one state: one signs in (${round})`, async () => {
        const w = harness();
        w.newOidcPerson();
        const agent = w.agent();
        const callback = await w.consent(await w.begin(agent, "google"));
        const headers = {
          Accept: "application/json",
          Cookie: agent.cookieHeader("/auth/google/callback"),
        };
        w.oidc.takeRequests();
        const answers = await atOnce(() => w.agent().get(callback, { headers }));
        assertNoFailure(answers);
        assert.equal(winners(answers).length, 1);
        const exchanged = w.oidc.takeRequests().filter(({ path }) => path === "/token");
        assert.equal(exchanged.length, 1);
      });

      it(`refreshes of one token: one rotation, and its successor for all (${round})`, async () => {
        const w = harness();
        const { refresh_token, user } = await w.openNativeSession();
        const answers = await atOnce(() => w.refresh(refresh_token));
        const successors = new Set(
          answers.map((answer) => {
            assert.equal(answer.status, 200, answer.text);
            return answer.json<Tokens>().refresh_token;
          }),
        );
        assert.equal(successors.size, 1);
        const sql = "SELECT counter FROM sessions WHERE user_id = ?";
        const [row] = await w.signin.sql(sql, [user.id]);
        assert.equal(row?.counter, 1);
      });

      it(`sign-ups of one address: one account (${round})`, async () => {
        const w = harness();
        const email = `crowd${w.next()}@example.test`;
        const agent = w.agent();
        assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
        const code = await w.mailbox.codeFor(email);
        const body = { email, code, password: PASSWORD };
        const answers = await atOnce(() => agent.post("/auth/signup/complete", body));
        assertNoFailure(answers);
        assert.equal(winners(answers).length, 1);
        assert.equal(await w.count("users", "email_norm = ?", [email]), 1);
      });
    }
  });
}
