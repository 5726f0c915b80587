import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SigninHarness, type Tokens } from "../../support/signin/harness.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { assertRefused, type UserAgent } from "../../support/signin/user-agent.ts";

const COOKIE = "signin_rt";

/** What the HTTP runtime believes of cookies and addresses. */
export function runtimeTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  const logout = (agent: UserAgent, scope: string, ask: { cookie?: string; bearer?: string }) =>
    agent.ask("/auth/logout", {
      method: "POST",
      json: { scope },
      bearer: ask.bearer,
      headers: {
        Origin: harness().signin.baseUrl,
        ...(ask.cookie === undefined ? {} : { Cookie: `${COOKIE}=${ask.cookie}` }),
      },
    });
  const isAlive = async (bearer: string) => (await harness().me(bearer)).status === 200;
  /** Two sessions of one person: a browser with its cookie, and a second device. */
  async function openTwo() {
    const w = harness();
    const agent = w.agent();
    const browser = await w.openBrowserSession(agent);
    const other = w.agent();
    await w.signInByBrowser(other, "google");
    const second = await w.refreshByCookie(other);
    return { agent, other, browser, second, cookie: agent.cookies.get(COOKIE)?.value ?? "" };
  }

  describe("cookies and addresses", () => {
    for (const scope of ["global", "others"]) {
      it(`F12 the cookie of an ended session ends nothing: ${scope}`, async () => {
        const { cookie, second } = await openTwo();
        assert.equal((await logout(harness().agent(), "local", { cookie })).status, 204);
        const answer = await logout(harness().agent(), scope, { cookie });
        assert.equal(answer.status, 204);
        assert.match(answer.headers.getSetCookie()[0] ?? "", /Max-Age=0/);
        assert.equal(await isAlive(second.access_token), true);
      });

      it(`F13 a cookie of an old generation ends no other session: ${scope}`, async () => {
        const { agent, cookie, browser, second } = await openTwo();
        await harness().refreshByCookie(agent);
        const answer = await logout(harness().agent(), scope, { cookie });
        assert.equal(answer.status, 204, "within the grace it is the person's own");
        const isEnded = async ({ access_token }: Tokens) => !(await isAlive(access_token));
        assert.equal(await isEnded(second), true);
        assert.equal(await isEnded(browser), scope === "global");

        const stale = await openTwo();
        await harness().refreshByCookie(stale.agent);
        await harness().refreshByCookie(stale.agent);
        await logout(harness().agent(), scope, { cookie: stale.cookie });
        assert.equal(await isAlive(stale.second.access_token), true);
        assert.equal(await isAlive(stale.browser.access_token), true);
      });
    }

    it("F14 a logout by bearer ends the session of the cookie beside it, too", async () => {
      const { cookie, browser, second } = await openTwo();
      const answer = await logout(harness().agent(), "local", {
        cookie,
        bearer: second.access_token,
      });
      assert.equal(answer.status, 204);
      assert.match(answer.headers.getSetCookie()[0] ?? "", /Max-Age=0/);
      assert.equal(await isAlive(second.access_token), false);
      assert.equal(await isAlive(browser.access_token), false, "its cookie is gone for good");
      assertRefused(await harness().refresh(cookie), 401);
    });

    it("F14 a cookie beside a bearer stays and keeps its session where no origin is named", async () => {
      const { cookie, browser, second } = await openTwo();
      const answer = await harness()
        .agent()
        .ask("/auth/logout", {
          method: "POST",
          json: {},
          bearer: second.access_token,
          headers: { Cookie: `${COOKIE}=${cookie}` },
        });
      assert.equal(answer.status, 204);
      assert.deepEqual(answer.headers.getSetCookie(), []);
      assert.equal(await isAlive(second.access_token), false);
      assert.equal(await isAlive(browser.access_token), true);
    });

    it("G16 a cookie without a name is not taken for the refresh cookie", async () => {
      const { cookie } = await openTwo();
      const headers = {
        Origin: harness().signin.baseUrl,
        Cookie: `${COOKIE}X; ${COOKIE}=${cookie}`,
      };
      const answer = await harness().agent().ask("/auth/refresh", { method: "POST", headers });
      assert.equal(answer.status, 200, answer.text);
    });

    it("G17 a public base URL in development: clients of its tunnel are counted", async () => {
      await using w = await SigninHarness.open(runtime, {
        APP_ENV: "development",
        APP_BASE_URL: "https://dev.tunnel.example",
        APP_UI_BASE_URL: "https://dev.tunnel.example/",
        TRUSTED_PROXIES: "",
      });
      const agent = w.agent();
      agent.host = "dev.tunnel.example";
      const statuses = new Set<number>();
      for (let request = 0; request < 61; request += 1) {
        const headers = { "CF-Connecting-IP": "127.0.0.1" };
        statuses.add((await agent.get("/auth/google/login", { headers })).status);
      }
      assert.deepEqual([...statuses], [302, 429]);
    });

    // Workers do not read X-Forwarded-For.
    if (runtime.name === "workers") return;
    it("G18 a proxy that adds ports to addresses still shows one client from another", async () => {
      const from = (hop: string) =>
        harness()
          .agent()
          .get("/auth/google/login", { headers: { "X-Forwarded-For": hop } });
      for (const client of ["198.51.100.77:50000", "[2001:db8:77::1]:50000"]) {
        for (let request = 0; request < 60; request += 1) {
          assert.equal((await from(client.replace("50000", String(50_000 + request)))).status, 302);
        }
        assert.equal((await from(client)).status, 429, client);
      }
      assert.equal((await from("198.51.100.78:50000")).status, 302);
    });
  });
}
