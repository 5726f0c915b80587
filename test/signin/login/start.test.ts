// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOneSite } from "../../../signin/login/start.ts";
import {
  beginFlow,
  createPkce,
  LOOPBACK,
  nativeQuery,
  refusalOf,
  signIn,
} from "../../support/signin/flows.ts";
import { createTestSignin, UI_URL } from "../../support/signin/signin.ts";

const NO_PROVIDERS = {
  OIDC_PROVIDER_CLIENT_ID: "",
  OIDC_PROVIDER_CLIENT_SECRET: "",
  OAUTH_PROVIDER_CLIENT_ID: "",
  OAUTH_PROVIDER_CLIENT_SECRET: "",
};

const { challenge: CHALLENGE } = await createPkce();

describe("GET /auth/{provider}/login", () => {
  it("sends the browser to the OpenID Connect provider, bound to it by a cookie", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("GET", "/auth/google/login");
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
    const url = new URL(response.headers.get("location") ?? "");
    assert.equal(url.origin + url.pathname, "https://op.example.test/authorize");
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams);
    for (const random of [state, nonce, code_challenge]) {
      assert.match(random ?? "", /^[A-Za-z0-9_-]{43}$/);
    }
    assert.equal(new Set([state, nonce, code_challenge]).size, 3);
    assert.deepEqual(rest, {
      client_id: "oidc-client",
      redirect_uri: "https://auth.example.test/auth/google/callback",
      response_type: "code",
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    const [cookie = "", ...others] = response.headers.getSetCookie();
    assert.deepEqual(others, []);
    assert.match(
      cookie,
      /^__Host-signin_f_[\w-]{8}=v1[\w.-]{200,700}; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it("sends the browser to the OAuth 2.0 provider with its scopes and PKCE", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("GET", "/auth/github/login");
    const url = new URL(response.headers.get("location") ?? "");
    assert.equal(url.origin + url.pathname, "https://hub.example.test/login/oauth/authorize");
    assert.equal(url.searchParams.get("scope"), "read:user user:email");
    assert.equal(url.searchParams.get("code_challenge_method"), "S256");
    assert.equal(url.searchParams.has("nonce"), false);
  });

  it("stores nothing: the flow is sealed in the cookie", async () => {
    await using signin = await createTestSignin();
    const changes = async () => (await signin.rows("SELECT total_changes() AS n"))[0]?.n;
    const before = await changes();
    const { cookie } = await beginFlow(signin);
    const native = {
      redirect_to: LOOPBACK,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
    };
    const query = new URLSearchParams({ native: "true", ...native });
    assert.equal((await signin.call("GET", `/auth/google/login?${query}`)).status, 200);
    assert.equal(await changes(), before);
    assert.match(cookie, /^__Host-signin_f_[\w-]{8}=v1\./);
    for (const part of cookie.split(/[.=]/)) {
      const text = Buffer.from(part, "base64url").toString("latin1");
      assert.doesNotMatch(text, /codeVerifier|provider|google/);
    }
  });

  it("keeps five flows in a browser: the oldest gives way", async () => {
    await using signin = await createTestSignin();
    const held = Array.from({ length: 5 }, (_, at) => `__Host-signin_f_0000000${at}=x`);
    held.push("__Host-signin_f_no, name=x", "__Host-signin_f_=x");
    const response = await signin.call("GET", "/auth/google/login", { cookie: held.join("; ") });
    const [cleared = "", set = "", ...others] = response.headers.getSetCookie();
    assert.match(cleared, /^__Host-signin_f_00000000=; Path=\/; Max-Age=0;/);
    assert.match(set, /Max-Age=600/);
    assert.deepEqual(others, []);
  });

  it("has plain cookies on plain http", async () => {
    await using signin = await createTestSignin({
      APP_ENV: "development",
      APP_BASE_URL: "http://127.0.0.1:8787",
      APP_UI_BASE_URL: "http://127.0.0.1:8787/",
    });
    const response = await signin.call("GET", "http://127.0.0.1:8787/auth/google/login");
    const [cookie = ""] = response.headers.getSetCookie();
    assert.match(
      cookie,
      /^signin_f_[\w-]{8}=v1[\w.-]{200,700}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    assert.equal(response.headers.has("strict-transport-security"), false);
  });

  for (const provider of ["google", "github", "openai", "nonsense", "__proto__"]) {
    it(`answers 404 for ${provider} where nothing is configured`, async () => {
      await using signin = await createTestSignin(NO_PROVIDERS);
      const response = await signin.call("GET", `/auth/${provider}/login`);
      assert.equal(await refusalOf(response), "404 provider_disabled");
    });
  }

  it("lists the providers that there are where one is unknown", async () => {
    await using signin = await createTestSignin();
    const { error } = await (await signin.call("GET", "/auth/nope/login")).json();
    assert.equal(error, "This provider is not available. Available: google, github.");
    await using none = await createTestSignin(NO_PROVIDERS);
    const alone = await (await none.call("GET", "/auth/google/login")).json();
    assert.equal(alone.error, "This provider is not available. None is configured.");
  });

  it("begins nothing for HEAD, which link scanners send", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("HEAD", "/auth/google/login");
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "GET");
    assert.deepEqual(response.headers.getSetCookie(), []);
  });

  it("lets an address begin sixty flows a minute", async () => {
    await using signin = await createTestSignin();
    const call = () =>
      signin.call("GET", "/auth/google/login", { from: { address: "203.0.113.7" } });
    for (let at = 0; at < 60; at += 1) assert.equal((await call()).status, 302);
    const refused = await call();
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
  });

  it("lets a client begin flows again after a minute", async () => {
    await using signin = await createTestSignin();
    const from = { address: "203.0.113.7" };
    const begin = async () => (await signin.call("GET", "/auth/google/login", { from })).status;
    for (let at = 0; at < 60; at += 1) assert.equal(await begin(), 302);
    assert.equal(await begin(), 429);
    signin.deps.clock.advance(60_000);
    assert.equal(await begin(), 302);
  });

  it("does not let one network use up the flows of another", async () => {
    await using signin = await createTestSignin();
    const statuses = new Set<number>();
    for (let at = 0; at < 400; at += 1) {
      const from = { address: `2001:db8:7:${at.toString(16)}::1` };
      statuses.add((await signin.call("GET", "/auth/google/login", { from })).status);
    }
    assert.deepEqual([...statuses], [302, 429], "a network has its own limit");
    const other = { from: { address: "203.0.113.7" } };
    assert.equal((await signin.call("GET", "/auth/google/login", other)).status, 302);
  });

  it("answers 502 and begins nothing where the provider cannot be reached", async () => {
    await using signin = await createTestSignin();
    signin.idp.intercept = () => Promise.reject(new TypeError("fetch failed"));
    const response = await signin.call("GET", "/auth/google/login");
    assert.equal(await refusalOf(response), "502 provider_unavailable");
  });
});

describe("GET /auth/{provider}/login?mode=link", () => {
  it("answers the address as JSON, with the binding cookie", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    const response = await signin.call("GET", "/auth/github/login?mode=link", {
      bearer,
      origin: UI_URL,
    });
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(await response.json()), ["url"]);
    assert.match(response.headers.getSetCookie()[0] ?? "", /^__Host-signin_f_/);
    assert.equal(response.headers.get("access-control-allow-origin"), UI_URL);
    assert.equal(response.headers.get("access-control-allow-credentials"), "true");
  });

  it("needs the bearer; the refresh cookie is none", async () => {
    await using signin = await createTestSignin();
    const { cookie } = await signIn(signin);
    const response = await signin.call("GET", "/auth/github/login?mode=link", { cookie });
    assert.equal(await refusalOf(response), "401 invalid_token");
  });

  it("is refused where the interface is of another site", async () => {
    await using signin = await createTestSignin({ APP_UI_BASE_URL: "https://app.elsewhere.test" });
    const response = await signin.call("GET", "/auth/google/login");
    assert.equal(response.status, 302);
    const { accessToken: bearer } = await (async () => {
      const callback = await signin.idp.authorize(response.headers.get("location") ?? "");
      const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      const done = await signin.call("GET", callback, { cookie });
      const refresh = done.headers.getSetCookie().find((text) => text.includes("_rt=rt1."));
      const answer = await signin.call("POST", "/auth/refresh", {
        cookie: refresh?.split(";")[0],
        origin: "https://app.elsewhere.test",
      });
      return { accessToken: (await answer.json()).access_token };
    })();
    const refused = await signin.call("GET", "/auth/github/login?mode=link", { bearer });
    assert.equal(await refusalOf(refused), "409 link_flow_cross_site");
  });

  const sites: [ui: string, base: string, env: "production" | "development", same: boolean][] = [
    ["https://app.example.com", "https://auth.example.com", "production", true],
    ["https://example.com", "https://auth.example.com", "production", true],
    ["https://auth.example.com/", "https://auth.example.com", "production", true],
    ["https://app.other.com", "https://auth.example.com", "production", false],
    ["http://app.example.com", "https://auth.example.com", "production", false],
    ["https://10.0.0.1", "https://10.1.0.1", "production", false],
    ["http://localhost:3000", "http://127.0.0.1:8787", "development", true],
    ["http://localhost:3000", "http://127.0.0.1:8787", "production", false],
    ["https://com", "https://example.com", "production", false],
  ];
  for (const [uiUrl, baseUrl, env, same] of sites) {
    it(`takes ${uiUrl} and ${baseUrl} for ${same ? "one site" : "two sites"} in ${env}`, () =>
      assert.equal(isOneSite({ uiUrl, baseUrl, env }), same));
  }
});

describe("GET /auth/{provider}/login?native=true", () => {
  it("answers address and state, and binds no browser", async () => {
    await using signin = await createTestSignin();
    const { challenge } = await createPkce();
    const response = await signin.call("GET", `/auth/google/login${nativeQuery(challenge)}`);
    assert.equal(response.status, 200);
    const { url, state } = await response.json();
    assert.equal(new URL(url).searchParams.get("state"), state);
    assert.equal(
      new URL(url).searchParams.get("redirect_uri"),
      "https://auth.example.test/auth/google/callback",
    );
    assert.deepEqual(response.headers.getSetCookie(), []);
  });

  const challenge = CHALLENGE;
  const good = {
    native: "true",
    redirect_to: LOOPBACK,
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  const bad: Record<string, Record<string, string> | string> = {
    "no redirect_to": without("redirect_to"),
    "no challenge": without("code_challenge"),
    "no method": without("code_challenge_method"),
    "the plain method": { ...good, code_challenge_method: "plain" },
    "a lower-case method": { ...good, code_challenge_method: "s256" },
    "an empty challenge": { ...good, code_challenge: "" },
    "a padded challenge": { ...good, code_challenge: `${challenge}=` },
    "a foreign redirect_to": { ...good, redirect_to: "https://evil.example.test/" },
    "a redirect_to with a fragment": { ...good, redirect_to: `${LOOPBACK}#x` },
    "a redirect_to with a user": { ...good, redirect_to: "http://a:b@127.0.0.1:1234/" },
    "a redirect_to without a port": { ...good, redirect_to: "http://127.0.0.1/" },
    linking: { ...good, mode: "link" },
    "two redirect_to": `${new URLSearchParams(good)}&redirect_to=${encodeURIComponent(LOOPBACK)}`,
    "two challenges": `${new URLSearchParams(good)}&code_challenge=${challenge}`,
    "another word than true": { ...good, native: "yes" },
    "another mode": { mode: "native" },
  };
  for (const [name, query] of Object.entries(bad)) {
    it(`refuses ${name} and begins nothing`, async () => {
      await using signin = await createTestSignin();
      const response = await signin.call("GET", `/auth/google/login?${new URLSearchParams(query)}`);
      assert.equal(await refusalOf(response), "400 invalid_request");
    });
  }
});
