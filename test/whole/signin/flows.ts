import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  challengeOf,
  LOOPBACK,
  newVerifier,
  PASSWORD,
  type SigninHarness,
  type Tokens,
} from "../../support/signin/harness.ts";
import { assertRefused } from "../../support/signin/user-agent.ts";

/** What Sign-in §4 and the decisions promise, endpoint by endpoint. */
export function flowTests(harness: () => SigninHarness): void {
  describe("browser sign-in", () => {
    for (const provider of ["google", "github"]) {
      it(`${provider}: the provider's page, back, a refresh cookie for /auth alone, ?auth=success`, async () => {
        const w = harness();
        const agent = w.agent();
        if (provider === "google") w.newOidcPerson();
        else w.newGithubPerson();
        const authorize = await w.begin(agent, provider);
        const callback = `${w.signin.baseUrl}/auth/${provider}/callback`;
        assert.equal(authorize.searchParams.get("redirect_uri"), callback);
        assert.equal(authorize.searchParams.get("code_challenge_method"), "S256");
        const answer = await agent.get(await w.consent(authorize));
        assert.equal(answer.status, 302, answer.text);
        assert.equal(answer.location?.href, `${w.signin.baseUrl}/?auth=success`);
        const refresh = answer.headers.getSetCookie().find((line) => line.startsWith("signin_rt="));
        assert.match(refresh ?? "", /; Path=\/auth;/);
        assert.match(refresh ?? "", /; HttpOnly/);
        assert.match(refresh ?? "", /; SameSite=Lax/);
        const tokens = await w.refreshByCookie(agent);
        assert.equal("refresh_token" in tokens, false, "it stays in the cookie");
        const me = await w.me(tokens.access_token);
        const [connection] = me.json<{ connections: { provider: string; kind: string }[] }>()
          .connections;
        assert.equal(connection?.provider, provider);
        assert.equal(connection?.kind, provider === "google" ? "oidc" : "oauth");
      });

      it(`${provider}: a second sign-in finds the account by its subject, whatever its address is now`, async () => {
        const w = harness();
        const first = await w.openBrowserSession(w.agent(), provider);
        const moved = `moved${w.next()}@example.test`;
        w.oidc.person = { ...w.oidc.person, email: moved };
        w.github.emails = [{ email: moved, verified: true, primary: true }];
        const agent = w.agent();
        const answer = await w.signInByBrowser(agent, provider);
        assert.equal(answer.status, 302, answer.text);
        const again = await w.refreshByCookie(agent);
        assert.equal(again.user.id, first.user.id);
      });
    }

    it("an identity that is known signs in without a verified address", async () => {
      const w = harness();
      const first = await w.openBrowserSession(w.agent(), "google");
      w.oidc.person = { ...w.oidc.person, email_verified: false };
      const agent = w.agent();
      assert.equal((await w.signInByBrowser(agent, "google")).status, 302);
      assert.equal((await w.refreshByCookie(agent)).user.id, first.user.id);
    });

    it("unknown and key-based providers have no sign-in", async () => {
      const agent = harness().agent();
      for (const slug of ["openai", "anthropic", "gemini", "unknown", "native"]) {
        assertRefused(await agent.get(`/auth/${slug}/login`), 404);
        assertRefused(await agent.get(`/auth/${slug}/callback?state=x&code=y`), 404);
      }
    });
  });

  describe("linking and disconnecting", () => {
    it("links a second provider to the account, lists it, and takes it away again", async () => {
      const w = harness();
      const agent = w.agent();
      const tokens = await w.openBrowserSession(agent, "google");
      const bearer = tokens.access_token;
      w.newGithubPerson();
      const begun = await agent.get("/auth/github/login?mode=link", { bearer });
      assert.equal(begun.status, 200, begun.text);
      const { url, ...rest } = begun.json<{ url: string }>();
      assert.deepEqual(rest, {}, "nothing but the url");
      const linked = await agent.get(await w.consent(url));
      assert.equal(linked.status, 302, linked.text);
      assert.equal(linked.location?.href, `${w.signin.baseUrl}/?connected=github`);
      const me = (await w.me(bearer)).json<{ connected_providers: string[] }>();
      assert.deepEqual(me.connected_providers.toSorted(), ["github", "google"]);
      const gone = await agent.ask("/auth/google/disconnect", { method: "DELETE", bearer });
      assert.equal(gone.status, 204);
      assert.equal(gone.text, "");
      const last = await agent.ask("/auth/github/disconnect", { method: "DELETE", bearer });
      assertRefused(last, 409, "last_sign_in_method");
      const twice = await agent.ask("/auth/google/disconnect", { method: "DELETE", bearer });
      assertRefused(twice, 404);
    });

    it("an account with a password may give up its last identity", async () => {
      const w = harness();
      const agent = w.agent();
      const { access_token: bearer } = await w.signUp(agent);
      w.newOidcPerson();
      const { url } = (await agent.get("/auth/google/login?mode=link", { bearer })).json<{
        url: string;
      }>();
      assert.equal((await agent.get(await w.consent(url))).status, 302);
      const gone = await agent.ask("/auth/google/disconnect", { method: "DELETE", bearer });
      assert.equal(gone.status, 204);
    });

    it("lists providers with what is configured and what is connected", async () => {
      const w = harness();
      const { access_token: bearer } = await w.openBrowserSession(w.agent(), "google");
      const { providers } = (await w.agent().get("/auth/providers", { bearer })).json<{
        providers: unknown[];
      }>();
      const apiKey = (slug: string, label: string) => ({
        slug,
        kind: "api_key",
        label,
        can_sign_in: false,
        connected: false,
      });
      assert.deepEqual(providers, [
        { slug: "google", kind: "oidc", label: "Google", can_sign_in: true, connected: true },
        { slug: "github", kind: "oauth", label: "GitHub", can_sign_in: true, connected: false },
        { slug: "hub", kind: "oauth", label: "Hub", can_sign_in: true, connected: false },
        apiKey("openai", "OpenAI"),
        apiKey("anthropic", "Anthropic"),
        apiKey("gemini", "Google Gemini"),
      ]);
    });

    it("API keys: connected with a masked hint, replaced, disconnected, never a sign-in method", async () => {
      const w = harness();
      const agent = w.agent();
      const { access_token: bearer } = await w.openBrowserSession(agent, "google");
      for (const tail of ["AAAA1111", "BBBB2222"]) {
        const key = `sk-canary-${w.next()}-${Math.random().toString(36).slice(2)}-${tail}`;
        w.secrets.add(key);
        const body = { provider_slug: "openai", api_key: key };
        const answer = await agent.post("/auth/apikey", body, { bearer });
        assert.equal(answer.status, 200, answer.text);
        const { provider_slug, hint, ...rest } = answer.json<Record<string, string>>();
        assert.equal(provider_slug, "openai");
        assert.deepEqual(rest, {});
        assert.equal(hint?.includes(key.slice(4, -4)), false);
        assert.equal(key.includes(hint ?? key), false, "the hint is masked");
      }
      const [row] = await w.signin.sql(
        "SELECT ciphertext FROM api_keys ORDER BY connected_at DESC LIMIT 1",
      );
      assert.match(String(row?.ciphertext), /^v1\./);
      const last = await agent.ask("/auth/google/disconnect", { method: "DELETE", bearer });
      assertRefused(last, 409, "last_sign_in_method");
      const gone = await agent.ask("/auth/openai/disconnect", { method: "DELETE", bearer });
      assert.equal(gone.status, 204);
      assertRefused(await agent.ask("/auth/openai/disconnect", { method: "DELETE", bearer }), 404);
    });

    it("an API key for anything but the three providers is refused", async () => {
      const w = harness();
      const { access_token: bearer } = await w.openBrowserSession(w.agent(), "google");
      const bodies: unknown[] = [
        { provider_slug: "google", api_key: "sk-1234567890" },
        { provider_slug: "mistral", api_key: "sk-1234567890" },
        { provider_slug: "openai", api_key: "" },
        { provider_slug: "openai", api_key: 7 },
        { provider_slug: "openai" },
        [],
      ];
      for (const body of bodies) {
        assertRefused(await w.agent().post("/auth/apikey", body, { bearer }), 400);
      }
    });
  });

  describe("native sign-in", () => {
    for (const provider of ["google", "github"]) {
      it(`${provider}: url and state, a code at the loopback address, tokens for code and verifier`, async () => {
        const w = harness();
        if (provider === "google") w.newOidcPerson();
        else w.newGithubPerson();
        const verifier = newVerifier();
        const { url, state } = await w.beginNative(w.agent(), provider, { verifier });
        const landed = await w.agent().get(await w.consent(url));
        assert.equal(landed.status, 302, landed.text);
        const back = landed.location!;
        assert.equal(back.origin + back.pathname, LOOPBACK);
        assert.equal(back.searchParams.get("state"), state);
        assert.deepEqual([...back.searchParams.keys()].toSorted(), ["code", "state"]);
        assert.deepEqual(
          landed.headers.getSetCookie().filter((line) => !/max-age=0/i.test(line)),
          [],
          "the system browser gets no session",
        );
        const answer = await w.exchange(back.searchParams.get("code") ?? "", verifier);
        assert.equal(answer.status, 200, answer.text);
        const tokens = answer.json<Tokens>();
        assert.equal(tokens.token_type, "Bearer");
        assert.equal(tokens.expires_in, 600);
        assert.equal((await w.me(tokens.access_token)).status, 200);
        const refreshed = await w.refresh(tokens.refresh_token);
        assert.equal(refreshed.status, 200, refreshed.text);
      });
    }

    it("keeps the query of redirect_to", async () => {
      const w = harness();
      w.newOidcPerson();
      const verifier = newVerifier();
      const redirectTo = "http://[::1]:5123/cb?app=1&x=%20y";
      const { url } = await w.beginNative(w.agent(), "google", { verifier, redirectTo });
      const landed = await w.agent().get(await w.consent(url));
      assert.equal(landed.location?.href.startsWith(`${redirectTo}&`), true, landed.location?.href);
    });

    it("is not for linking", async () => {
      const w = harness();
      const { access_token: bearer } = await w.openBrowserSession(w.agent(), "google");
      const query = new URLSearchParams({
        native: "true",
        mode: "link",
        redirect_to: LOOPBACK,
        code_challenge: challengeOf(newVerifier()),
        code_challenge_method: "S256",
      });
      assertRefused(await w.agent().get(`/auth/github/login?${query}`, { bearer }), 400);
    });
  });

  describe("passwords, sessions and the user's own trail", () => {
    it("signs up with an emailed code, logs in, resets, and the reset ends all sessions", async () => {
      const w = harness();
      const agent = w.agent();
      const first = await w.signUp(agent);
      const { email } = first;
      const login = await agent.post("/auth/login", { email, password: PASSWORD });
      assert.equal(login.status, 200, login.text);
      assert.deepEqual(login.headers.getSetCookie(), [], "a password login sets no cookie");
      const asked = await agent.post("/auth/password/reset/code", { email });
      assert.equal(asked.status, 200, "right after a sign-up, too");
      const code = await w.mailbox.codeFor(email);
      const password = "another horse battery 2077";
      w.secrets.add(password);
      const reset = await agent.post("/auth/password/reset/complete", { email, code, password });
      assert.equal(reset.status, 200, reset.text);
      for (const old of [first, login.json<Tokens>()]) {
        assertRefused(await w.me(old.access_token), 401);
        assertRefused(await w.refresh(old.refresh_token), 401);
      }
      assert.equal((await w.me(reset.json<Tokens>().access_token)).status, 200);
      assertRefused(await agent.post("/auth/login", { email, password: PASSWORD }), 401);
      assert.equal((await agent.post("/auth/login", { email, password })).status, 200);
    });

    it("lists sessions, ends one of them, and logs out of the others", async () => {
      const w = harness();
      const agent = w.agent();
      const one = await w.signUp(agent);
      const { email } = one;
      const log = async () =>
        (await agent.post("/auth/login", { email, password: PASSWORD })).json<Tokens>();
      const [two, three] = [await log(), await log()];
      const bearer = one.access_token;
      const { sessions } = (await agent.get("/auth/sessions", { bearer })).json<{
        sessions: { id: string; current: boolean; kind: string }[];
      }>();
      assert.equal(sessions.length, 3);
      assert.deepEqual(sessions.map(({ current }) => current).toSorted(), [false, false, true]);
      const other = sessions.find(({ current }) => !current)!;
      const path = `/auth/sessions/${other.id}`;
      const stranger = await w.openNativeSession();
      assertRefused(
        await agent.ask(path, { method: "DELETE", bearer: stranger.access_token }),
        404,
      );
      assert.equal((await agent.ask(path, { method: "DELETE", bearer })).status, 204);
      const left = await Promise.all([two, three].map((each) => w.me(each.access_token)));
      assert.deepEqual(left.map(({ status }) => status).toSorted(), [200, 401]);
      assert.equal((await agent.post("/auth/logout", { scope: "others" }, { bearer })).status, 204);
      assert.equal((await w.me(bearer)).status, 200);
      for (const each of [two, three]) assertRefused(await w.me(each.access_token), 401);
      const { events } = (await agent.get("/auth/events", { bearer })).json<{
        events: { at: string; type: string }[];
      }>();
      const types = events.map(({ type }) => type);
      for (const type of ["signup.completed", "session.created", "session.revoked"]) {
        assert.equal(types.includes(type), true, `${type} in ${types}`);
      }
    });

    it("logs out by bearer, and by cookie where the origin is allowed", async () => {
      const w = harness();
      const agent = w.agent();
      const { access_token: bearer } = await w.openBrowserSession(agent);
      const foreign = { Origin: "https://evil.example" };
      assertRefused(await agent.ask("/auth/logout", { method: "POST", headers: foreign }), 403);
      assertRefused(await agent.ask("/auth/logout", { method: "POST" }), 403);
      const headers = { Origin: w.signin.baseUrl };
      const out = await agent.ask("/auth/logout", { method: "POST", headers });
      assert.equal(out.status, 204);
      assert.equal(agent.cookies.has("signin_rt"), false, "the cookie is cleared");
      assertRefused(await w.me(bearer), 401);
    });
  });
}
