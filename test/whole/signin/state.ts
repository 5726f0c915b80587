import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LOOPBACK, SigninHarness } from "../../support/signin/harness.ts";
import { assertSafe } from "../../support/signin/refusals.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { type Answer, assertRefused } from "../../support/signin/user-agent.ts";

const JSON_PLEASE = { headers: { Accept: "application/json" } };
const SUCCESS = "?auth=success";

/** Family A: state, CSRF, mix-up, forced linking, several tabs, link scanners. */
export function stateTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  const beginLink = async (w: SigninHarness, agent = w.agent()) => {
    const tokens = await w.openBrowserSession(agent, "google");
    w.newGithubPerson();
    const ask = { bearer: tokens.access_token };
    const { url } = (await agent.get("/auth/github/login?mode=link", ask)).json<{ url: string }>();
    return { agent, tokens, callback: await w.consent(url) };
  };
  const beginSignIn = async (w: SigninHarness, provider = "google") => {
    const agent = w.agent();
    if (provider === "google") w.newOidcPerson();
    else w.newGithubPerson();
    return { agent, callback: await w.consent(await w.begin(agent, provider)) };
  };

  describe("A. state, CSRF and mix-up", () => {
    it("A1 a callback in another browser is refused, and does not burn the state of the right one", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w);
      w.oidc.takeRequests();
      const answer = await assertSafe(w, () => w.agent().get(callback, JSON_PLEASE), [400]);
      assert.equal(answer.json<{ code: string }>().code, "invalid_state");
      assert.deepEqual(w.oidc.takeRequests(), [], "the provider is not asked");
      assert.equal((await agent.get(callback)).location?.search, SUCCESS);
    });

    it("A2 a state is good for one callback", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w);
      const cookies = new Map(agent.cookies);
      assert.equal((await agent.get(callback)).location?.search, SUCCESS);
      for (const [name, cookie] of cookies) agent.cookies.set(name, cookie);
      w.oidc.takeRequests();
      await assertSafe(w, () => agent.get(callback, JSON_PLEASE), [400]);
      assert.deepEqual(w.oidc.takeRequests(), []);
    });

    it("A4 a state of one provider is refused at the other's callback, and neither is asked", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w, "google");
      w.oidc.takeRequests();
      w.github.takeRequests();
      const mixed = callback.pathname.replace("google", "github") + callback.search;
      await assertSafe(w, () => agent.get(mixed, JSON_PLEASE), [400]);
      assert.deepEqual([...w.oidc.takeRequests(), ...w.github.takeRequests()], []);
    });

    it("A5 a state that is missing, empty, twice, too long or of another alphabet is refused", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w);
      const state = callback.searchParams.get("state") ?? "";
      const code = callback.searchParams.get("code") ?? "";
      const queries = [
        `code=${code}`,
        `code=${code}&state=`,
        `code=${code}&state=${state}&state=${state}`,
        `code=${code}&state=${state}&state=other`,
        `code=${code}&code=${code}&state=${state}&iss=${encodeURIComponent(w.oidc.url)}`,
        `code=${code}&state=${"A".repeat(5000)}`,
        `code=${code}&state=${encodeURIComponent("' OR 1=1 --")}`,
        `code=${code}&state=%00%ff`,
        `code=${code}&state[]=${state}`,
        "",
      ];
      for (const query of queries) {
        const ask = () => agent.get(`/auth/google/callback?${query}`, JSON_PLEASE);
        await assertSafe(w, ask, [400, 403]);
      }
    });

    it("A6 login CSRF: a victim's browser that is sent to the attacker's callback is not signed in", async () => {
      const w = harness();
      const attacker = await beginSignIn(w);
      const victim = w.agent();
      await w.begin(victim, "google");
      await assertSafe(w, () => victim.get(attacker.callback, JSON_PLEASE), [400]);
      assert.equal(victim.cookies.has("signin_rt"), false);
    });

    it("A7 forced linking: the attacker's link callback does nothing in the victim's browser", async () => {
      const w = harness();
      const { callback } = await beginLink(w);
      const victim = w.agent();
      await w.openBrowserSession(victim, "google");
      await assertSafe(w, () => victim.get(callback, JSON_PLEASE), [400]);
    });

    it("A8 a link whose session ended before the callback is 401; so is one whose user is gone", async () => {
      const w = harness();
      const ended: ((userId: string, bearer: string) => Promise<unknown>)[] = [
        (_userId, bearer) => w.agent().post("/auth/logout", {}, { bearer }),
        (userId) => w.signin.sql("DELETE FROM users WHERE id = ?", [userId]),
      ];
      for (const end of ended) {
        const { agent, tokens, callback } = await beginLink(w);
        await end(tokens.user.id, tokens.access_token);
        w.github.takeRequests();
        await assertSafe(w, () => agent.get(callback, JSON_PLEASE), [401]);
      }
    });

    it("A9 linking needs a live session", async () => {
      const w = harness();
      assertRefused(await w.agent().get("/auth/github/login?mode=link"), 401);
      const tokens = await w.openNativeSession();
      await w.agent().post("/auth/logout", {}, { bearer: tokens.access_token });
      const ask = { bearer: tokens.access_token };
      assertRefused(await w.agent().get("/auth/github/login?mode=link", ask), 401);
    });

    it("A10 an identity of another account is not linked: 409", async () => {
      const w = harness();
      const other = await w.openBrowserSession(w.agent(), "github");
      const { profile, emails } = w.github;
      const { agent, callback } = await beginLink(w);
      Object.assign(w.github, { profile, emails });
      const answer = await assertSafe(w, () => agent.get(callback, JSON_PLEASE), [409]);
      assert.equal(answer.json<{ code: string }>().code, "identity_in_use");
      const me = (await w.me(other.access_token)).json<{ connected_providers: string[] }>();
      assert.deepEqual(me.connected_providers, ["github"]);
    });

    it("A11 several tabs: each flow has a binding of its own, and they end in any order", async () => {
      const w = harness();
      const agent = w.agent();
      w.newOidcPerson();
      const flows = [];
      for (let tab = 0; tab < 3; tab += 1)
        flows.push(await w.consent(await w.begin(agent, "google")));
      for (const callback of flows.toReversed()) {
        assert.equal((await agent.get(callback)).location?.search, SUCCESS);
      }
    });

    it("A12 a browser keeps at most five bindings: the oldest goes first, and no pile grows", async () => {
      const w = harness();
      const agent = w.agent();
      w.newOidcPerson();
      const flows = [];
      for (let tab = 0; tab < 7; tab += 1)
        flows.push(await w.consent(await w.begin(agent, "google")));
      const bindings = [...agent.cookies.keys()].filter((name) => name.startsWith("signin_f_"));
      assert.equal(bindings.length, 5);
      assertRefused(await agent.get(flows[0]!, JSON_PLEASE), 400);
      assert.equal((await agent.get(flows[6]!)).location?.search, SUCCESS);
    });

    it("A13 a link scanner's HEAD changes nothing", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w);
      const head = await agent.ask(callback, { method: "HEAD" });
      assert.equal(head.status, 405);
      assert.equal((await agent.ask("/auth/google/login", { method: "HEAD" })).status, 405);
      assert.equal((await agent.get(callback)).location?.search, SUCCESS);
    });

    it("A14 a binding that came twice, as a tossed cookie would, is refused", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w);
      const [name, { value }] = [...agent.cookies].find(([key]) => key.startsWith("signin_f_"))!;
      const headers = { Cookie: `${name}=${value}; ${name}=tossed`, Accept: "application/json" };
      await assertSafe(w, () => agent.get(callback, { headers }), [400]);
    });

    it("A15 what the person refused at the provider ends the flow, without a call", async () => {
      const w = harness();
      const { agent, callback } = await beginSignIn(w);
      const state = callback.searchParams.get("state");
      const iss = encodeURIComponent(w.oidc.url);
      const denied = `/auth/google/callback?error=access_denied&error_description=%3Cscript%3Ecanary&state=${state}&iss=${iss}`;
      w.oidc.takeRequests();
      const answer = await assertSafe(w, () => agent.get(denied), [403]);
      assert.equal(answer.text.includes("<script>canary"), false);
      assert.deepEqual(w.oidc.takeRequests(), []);
      await assertSafe(w, () => agent.get(callback, JSON_PLEASE), [400]);
    });

    it("A16 a sign-in makes a session of its own, whatever cookie the browser had", async () => {
      const w = harness();
      const agent = w.agent();
      const first = await w.openBrowserSession(agent);
      const fixed = agent.cookies.get("signin_rt")?.value;
      assert.equal((await w.signInByBrowser(agent, "google")).location?.search, SUCCESS);
      assert.notEqual(agent.cookies.get("signin_rt")?.value, fixed);
      assert.equal(await w.count("sessions", "user_id = ?", [first.user.id]), 2);
    });

    it("A17 a login with a mode or a return address that does not exist is refused; browsers return to the configured address alone", async () => {
      const w = harness();
      w.newOidcPerson();
      const queries = ["mode=admin", "mode=link&mode=login", "native=yes", "native=true"];
      for (const query of queries) {
        const answer = await w.agent().get(`/auth/google/login?${query}`, JSON_PLEASE);
        assert.equal([400, 401].includes(answer.status), true, `${query}: ${answer.status}`);
      }
      for (const query of ["redirect_to=https://evil.example", "return_to=//evil.example"]) {
        const agent = w.agent();
        const begun = await agent.get(`/auth/google/login?${query}`, JSON_PLEASE);
        if (begun.status === 400) continue;
        const landed = await agent.get(await w.consent(begun.location!));
        assert.equal(landed.location?.origin, w.signin.baseUrl);
      }
    });

    it("A18 the failed callback of a native flow goes back to the app with error and state, and no code", async () => {
      const w = harness();
      w.newOidcPerson({ email_verified: false });
      const { url, state } = await w.beginNative(w.agent(), "google", { verifier: "v".repeat(43) });
      const landed = await w.agent().get(await w.consent(url));
      assert.equal(landed.status, 302, landed.text);
      const back = landed.location!;
      assert.equal(back.origin + back.pathname, LOOPBACK);
      assert.deepEqual([...back.searchParams.keys()].toSorted(), ["error", "state"]);
      assert.equal(back.searchParams.get("state"), state);
    });

    it("A19 a user interface on another site cannot link: it is refused at once, not at the callback", async () => {
      await using w = await SigninHarness.open(runtime, {
        APP_UI_BASE_URL: "http://ui.example.test/app",
      });
      const { access_token: bearer } = await w.openNativeSession();
      const answer: Answer = await w.agent().get("/auth/github/login?mode=link", { bearer });
      assertRefused(answer, 409, "link_flow_cross_site");
      const agent = w.agent();
      w.newOidcPerson();
      const landed = await w.signInByBrowser(agent, "google");
      assert.equal(landed.location?.href, "http://ui.example.test/app?auth=success");
    });
  });
}
