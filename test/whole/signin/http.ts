import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SigninHarness } from "../../support/signin/harness.ts";
import { assertSafe } from "../../support/signin/refusals.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { type Answer, assertRefused } from "../../support/signin/user-agent.ts";

/** Family G: HTTP. */
export function httpTests(harness: () => SigninHarness, runtime: SigninRuntime): void {
  const login = "/auth/login";
  const credentials = { email: "g@example.test", password: "wrong password 1" };

  describe("G. HTTP", () => {
    it("G1 a host that is not ours is refused, and poisons no address", async () => {
      const w = harness();
      const hosts = [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        `evil.example:${new URL(w.signin.baseUrl).port}`,
        "127.0.0.1.evil.example",
      ];
      for (const host of hosts) {
        const agent = w.agent();
        agent.host = host;
        const answer = await assertSafe(w, () => agent.get("/auth/google/login"), [400]);
        assert.equal(answer.json<{ code: string }>().code, "untrusted_host", host);
      }
      for (const name of ["X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-URL"]) {
        const headers = { [name]: name === "Forwarded" ? "host=evil.example" : "evil.example" };
        const { location } = await w.agent().get("/auth/google/login", { headers });
        assert.match(location?.searchParams.get("redirect_uri") ?? "", /^http:\/\/127\.0\.0\.1:/);
      }
    });

    it("G2 CORS: credentials for allowed origins alone, compared exactly", async () => {
      const w = harness();
      const own = w.signin.baseUrl;
      for (const origin of [
        "https://evil.example",
        "null",
        `${own}.evil.example`,
        `${own}0`,
        own.replace("127.0.0.1", "localhost"),
      ]) {
        const answer = await w.agent().get("/auth/me", { headers: { Origin: origin } });
        assert.equal(answer.headers.get("access-control-allow-origin"), null, origin);
        const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };
        const refused = await w.agent().ask(login, { method: "OPTIONS", headers: preflight });
        assert.equal(refused.headers.get("access-control-allow-origin"), null);
        assertRefused(
          await w.agent().post(login, credentials, { headers: { Origin: origin } }),
          403,
        );
      }
      const answer = await w.agent().get("/auth/me", { headers: { Origin: own } });
      assert.equal(answer.headers.get("access-control-allow-origin"), own);
      assert.equal(answer.headers.get("access-control-allow-credentials"), "true");
      assert.match(answer.headers.get("vary") ?? "", /origin/i);
      const headers = {
        Origin: own,
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization, content-type",
      };
      const preflight = await w
        .agent()
        .ask("/auth/github/disconnect", { method: "OPTIONS", headers });
      assert.equal(preflight.status, 204);
      assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /DELETE/);
    });

    it("G3 bodies: 16 KiB, JSON by name and by nature", async () => {
      const w = harness();
      const agent = w.agent();
      const json = { "Content-Type": "application/json" };
      const large = JSON.stringify({ ...credentials, padding: "x".repeat(16 * 1024) });
      assertRefused(
        await agent.ask(login, { body: large, headers: json }),
        413,
        "payload_too_large",
      );
      const chunked = { ...json, "Transfer-Encoding": "chunked" };
      assertRefused(
        await agent.ask(login, { body: large, headers: chunked }),
        413,
        "payload_too_large",
      );
      for (const body of [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        '{"email":"a@b.test"}',
        "\u0000",
        "{}{}",
        "[".repeat(8000),
      ]) {
        assertRefused(await agent.ask(login, { body, headers: json }), 400, "invalid_request");
      }
      const form = new URLSearchParams(credentials).toString();
      for (const type of [
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x",
        "",
      ]) {
        const headers: Record<string, string> = type ? { "Content-Type": type } : {};
        const answer = await agent.ask(login, {
          body: type.includes("form") ? form : JSON.stringify(credentials),
          headers,
        });
        assertRefused(answer, 415, "unsupported_media_type");
      }
    });

    it("G4 unknown paths are 404, other methods 405 with Allow, both plain and without echo", async () => {
      const agent = harness().agent();
      const canary = "canary-in-a-path";
      for (const path of [
        `/${canary}`,
        "/auth",
        "/auth/",
        "/AUTH/ME",
        "/auth/me/",
        "/auth//me",
        "/.env",
        "/auth/google/callback/x",
      ]) {
        const answer = await agent.get(path);
        assertRefused(answer, 404);
        assert.equal(answer.text.includes(canary), false);
      }
      for (const [method, path, allow] of [
        ["POST", "/auth/me", "GET"],
        ["GET", login, "POST"],
        ["PUT", "/auth/native/token", "POST"],
        ["GET", "/auth/openai/disconnect", "DELETE"],
      ] as const) {
        const answer = await agent.ask(path, { method });
        assertRefused(answer, 405, "method_not_allowed");
        assert.equal(answer.headers.get("allow")?.includes(allow), true, `${method} ${path}`);
      }
    });

    it("G5 every answer is careful: no store, no sniffing, no framing, no referrer, a request id", async () => {
      const w = harness();
      const agent = w.agent();
      const answers = await Promise.all([
        agent.get("/auth/me"),
        agent.get("/auth/google/login"),
        agent.get("/nowhere"),
        agent.get("/auth/google/callback?state=x", { headers: { Accept: "text/html" } }),
        agent.post(login, credentials),
      ]);
      for (const { headers, status } of answers) {
        assert.equal(headers.get("cache-control"), "no-store", String(status));
        assert.equal(headers.get("x-content-type-options"), "nosniff");
        assert.equal(headers.get("referrer-policy"), "no-referrer");
        assert.equal(headers.get("x-frame-options"), "DENY");
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
        assert.equal(headers.get("server"), null);
        assert.equal(headers.get("x-powered-by"), null);
      }
    });

    it("G6 a failed callback is a page for people: no script, nothing of the query, a way back", async () => {
      const w = harness();
      const canary = "%3Cscript%3Ealert(1)%3C/script%3E%22%27canary";
      const path = `/auth/google/callback?state=${canary}&code=${canary}&error=${canary}&error_description=${canary}`;
      const answer = await w.agent().get(path, { headers: { Accept: "text/html,*/*" } });
      assert.equal(answer.status, 400);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/);
      assert.doesNotMatch(answer.text, /<script|canary|alert/);
      assert.equal(answer.text.includes(`href="${w.signin.baseUrl}/`), true, "a way back");
      assert.doesNotMatch(
        answer.headers.get("content-security-policy") ?? "",
        /script-src|unsafe-eval/,
      );
    });

    it("G7 line breaks in input never become headers", async () => {
      const w = harness();
      const evil = "x%0d%0aSet-Cookie:%20canary=1";
      for (const path of [
        `/auth/google/login?mode=${evil}`,
        `/auth/${evil}/login`,
        `/auth/google/callback?state=${evil}`,
      ]) {
        const answer = await w.agent().get(path);
        assert.equal(
          answer.headers.getSetCookie().some((line) => line.startsWith("canary")),
          false,
        );
      }
    });

    it("G8 a client behind no trusted proxy cannot choose its address: the limit counts", async () => {
      await using w = await SigninHarness.open(runtime, { TRUSTED_PROXIES: "10.99.0.0/16" });
      const statuses = new Set<number>();
      const cloudflare: Record<string, string> =
        runtime.name === "workers" ? { "CF-Connecting-IP": "203.0.113.7" } : {};
      for (let request = 0; request < 70; request += 1) {
        const headers = {
          "X-Forwarded-For": `198.51.100.${request}`,
          Forwarded: `for=198.51.100.${request}`,
          ...cloudflare,
        };
        statuses.add((await w.agent().get("/auth/google/login", { headers })).status);
      }
      assert.equal(
        statuses.has(429),
        runtime.name === "workers",
        "loopback is not counted in tests",
      );
    });

    it("G9 starting sign-ins is limited to 60 a minute for a client, with Retry-After", async () => {
      const w = harness();
      const agent = w.agent();
      let refused: Answer | undefined;
      for (let request = 0; request < 61; request += 1)
        refused = await agent.get("/auth/google/login");
      assertRefused(refused!, 429, "rate_limited");
      assert.match(refused?.headers.get("retry-after") ?? "", /^\d+$/);
      assert.equal((await w.agent().get("/auth/google/login")).status, 302, "others go on");
    });

    it("G10 under https every cookie is Secure and has its prefix, and browsers get Strict-Transport-Security", async () => {
      await using w = await SigninHarness.open(runtime, {
        APP_BASE_URL: "https://auth.example.test",
        APP_UI_BASE_URL: "https://app.example.test",
        APP_ENV: "test",
      });
      const agent = w.agent();
      agent.host = "auth.example.test";
      w.newOidcPerson();
      const begun = await agent.get("/auth/google/login");
      const [flow = ""] = begun.headers.getSetCookie();
      assert.match(
        flow,
        /^__Host-signin_f_[A-Za-z0-9_-]{8}=v1\.[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
      );
      assert.match(begun.headers.get("strict-transport-security") ?? "", /max-age=\d{8}/);
      const callback = await w.consent(begun.location!);
      assert.equal(callback.origin, "https://auth.example.test");
      const landed = await agent.get(callback.pathname + callback.search);
      assert.equal(landed.headers.get("location"), "https://app.example.test?auth=success");
      const refresh = landed.headers.getSetCookie().find((line) => line.includes("signin_rt="));
      assert.match(
        refresh ?? "",
        /^__Secure-signin_rt=[^;]+; Path=\/auth; Max-Age=\d+; HttpOnly; Secure; SameSite=Lax$/,
      );
      const headers = { Origin: "https://app.example.test" };
      assert.equal((await agent.ask("/auth/refresh", { method: "POST", headers })).status, 200);
    });

    it("G11 health, readiness and the description of the interface are public and say nothing secret", async () => {
      const w = harness();
      assert.equal((await w.agent().get("/health")).status, 200);
      assert.equal((await w.agent().get("/ready")).status, 200);
      const document = (await w.agent().get("/openapi.json")).json<{
        openapi: string;
        paths: object;
      }>();
      assert.match(document.openapi, /^3\.1/);
      const paths = Object.keys(document.paths);
      for (const path of [
        "/auth/{provider}/login",
        "/auth/native/token",
        "/auth/refresh",
        "/auth/me",
      ]) {
        assert.equal(paths.includes(path), true, path);
      }
    });
  });
}
