import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  newVerifier,
  PASSWORD,
  type SigninHarness,
  type Tokens,
} from "../../support/signin/harness.ts";
import { type Answer, UserAgent } from "../../support/signin/user-agent.ts";

const JSON_PLEASE = { headers: { Accept: "application/json" } };

/** Many at once: exactly the promised number succeed. */
export function concurrencyTests(harness: () => SigninHarness): void {
  const times = <Result>(count: number, work: (at: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, at) => work(at)));
  const successes = (answers: Answer[]) => answers.filter(({ status }) => status < 400).length;

  describe("concurrency", () => {
    it("25 callbacks with one state: one signs in", async () => {
      const w = harness();
      w.newOidcPerson();
      const agent = w.agent();
      const callback = await w.consent(await w.begin(agent, "google"));
      const headers = {
        ...JSON_PLEASE.headers,
        Cookie: agent.cookieHeader("/auth/google/callback"),
      };
      w.oidc.takeRequests();
      const answers = await times(25, () => w.agent().get(callback, { headers }));
      assert.equal(successes(answers), 1);
      const asked = w.oidc.takeRequests().filter(({ path }) => path === "/token");
      assert.equal(asked.length, 1, "the provider sees the code once");
    });

    it("25 first sign-ins of one person: one account, all in it", async () => {
      const w = harness();
      const { sub } = w.newOidcPerson();
      const agents = await times(25, async () => w.agent());
      const answers = await Promise.all(agents.map((agent) => w.signInByBrowser(agent, "google")));
      assert.equal(successes(answers), 25);
      assert.equal(await w.count("identities", "subject = ?", [String(sub)]), 1);
      assert.equal(await w.count("users", "email_norm = ?", [String(w.oidc.person.email)]), 1);
    });

    it("two people with one address at the same time: one account, the other gets an error", async () => {
      const w = harness();
      const email = `same${w.next()}@example.test`;
      w.newGithubPerson([{ email, verified: true, primary: true }]);
      w.newOidcPerson({ email });
      const start = async (provider: string) => {
        const agent = w.agent();
        return { agent, callback: await w.consent(await w.begin(agent, provider)) };
      };
      const flows = [await start("google"), await start("github")];
      const answers = await Promise.all(
        flows.map(({ agent, callback }) => agent.get(callback, JSON_PLEASE)),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [302, 409]);
      assert.equal(await w.count("users", "email_norm = ?", [email]), 1);
    });

    it("30 exchanges of one native code: at most one, and then no session is left alive by a replay", async () => {
      const w = harness();
      const verifier = newVerifier();
      const { code } = await w.nativeCode(verifier);
      const answers = await times(30, () => w.exchange(code, verifier));
      assert.equal(successes(answers), 1);
      for (const { status } of answers) assert.equal([200, 400, 429].includes(status), true);
      const tokens = answers.find(({ status }) => status === 200)!.json<Tokens>();
      assert.equal(
        (await w.me(tokens.access_token)).status,
        401,
        "a replay ends what the code bought",
      );
    });

    it("30 refreshes of one token: all get the same successor, one generation on", async () => {
      const w = harness();
      const { refresh_token, user } = await w.openNativeSession();
      const answers = await times(30, () => w.refresh(refresh_token));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      const successors = new Set(answers.map((answer) => answer.json<Tokens>().refresh_token));
      assert.equal(successors.size, 1);
      const [row] = await w.signin.sql("SELECT counter FROM sessions WHERE user_id = ?", [user.id]);
      assert.equal(row?.counter, 1);
    });

    it("24 refreshes of one token in two isolates: one successor", async () => {
      const w = harness();
      const { refresh_token } = await w.openNativeSession();
      // Where there is but one process, it is asked twice as often.
      await using sibling = await w.signin.bootSibling?.();
      const other = () => new UserAgent((sibling ?? w.signin).baseUrl, w.secrets);
      const answers = await times(24, (at) => {
        if (at % 2 === 0) return w.refresh(refresh_token);
        const agent = other();
        agent.host = new URL(w.signin.baseUrl).host;
        return agent.post("/auth/refresh", { refresh_token });
      });
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      const successors = new Set(answers.map((answer) => answer.json<Tokens>().refresh_token));
      assert.equal(successors.size, 1);
    });

    it("25 disconnects of two identities: one goes, the last one stays", async () => {
      const w = harness();
      const agent = w.agent();
      const { access_token: bearer, user } = await w.openBrowserSession(agent, "google");
      w.newGithubPerson();
      const { url } = (await agent.get("/auth/github/login?mode=link", { bearer })).json<{
        url: string;
      }>();
      assert.equal((await agent.get(await w.consent(url))).status, 302);
      const answers = await times(25, (at) =>
        agent.ask(`/auth/${at % 2 === 0 ? "google" : "github"}/disconnect`, {
          method: "DELETE",
          bearer,
        }),
      );
      assert.equal(successes(answers), 1);
      assert.equal(await w.count("identities", "user_id = ?", [user.id]), 1);
    });

    it("40 guesses of strangers at a code: the right one among them wins once at most", async () => {
      const w = harness();
      const email = `guess${w.next()}@example.test`;
      assert.equal((await w.agent().post("/auth/signup/code", { email })).status, 200);
      const code = await w.mailbox.codeFor(email);
      const answers = await times(40, (at) => {
        const guess =
          at === 39 ? code : String((Number(code) + at + 1) % 100_000_000).padStart(8, "0");
        return w.agent().post("/auth/signup/complete", { email, code: guess, password: PASSWORD });
      });
      assert.equal(successes(answers) <= 1, true);
      const [row] = await w.signin.sql("SELECT attempts FROM email_codes WHERE email_norm = ?", [
        email,
      ]);
      assert.equal(Number(row?.attempts) <= 5, true, `${row?.attempts} attempts`);
      assert.equal(await w.count("users", "email_norm = ?", [email]), successes(answers));
    });

    it("10 completions of one sign-up: one account, one answer with tokens", async () => {
      const w = harness();
      const email = `twice${w.next()}@example.test`;
      assert.equal((await w.agent().post("/auth/signup/code", { email })).status, 200);
      const code = await w.mailbox.codeFor(email);
      const body = { email, code, password: PASSWORD };
      const answers = await times(5, () => w.agent().post("/auth/signup/complete", body));
      assert.equal(successes(answers), 1);
      assert.equal(await w.count("users", "email_norm = ?", [email]), 1);
    });

    it("25 connections of one API key: one row, the last one stands", async () => {
      const w = harness();
      const { access_token: bearer, user } = await w.openNativeSession();
      const answers = await times(10, (at) => {
        const api_key = `sk-canary-parallel-${at}-0123456789abcdef`;
        w.secrets.add(api_key);
        return w.agent().post("/auth/apikey", { provider_slug: "anthropic", api_key }, { bearer });
      });
      assert.equal(successes(answers), 10);
      assert.equal(await w.count("api_keys", "user_id = ?", [user.id]), 1);
    });
  });
}
