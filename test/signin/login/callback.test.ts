import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomToken } from "../../../shared/random.ts";
import {
  beginFlow,
  countStatus,
  createPkce,
  keptCookies,
  link,
  nativeQuery,
  openCallback,
  refreshByCookie,
  refusalOf,
  signIn,
} from "../../support/signin/flows.ts";
import {
  BASE_URL,
  createTestSignin,
  type TestSignin,
  UI_URL,
} from "../../support/signin/signin.ts";

/** A 4xx that did nothing: no session, no account, no call to a provider. */
async function assertSafe(signin: TestSignin, response: Response, refusal: string): Promise<void> {
  assert.equal(await refusalOf(response), refusal);
  assert.equal(
    response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
    false,
  );
  assert.deepEqual(await signin.rows("SELECT 1 FROM sessions UNION ALL SELECT 1 FROM users"), []);
  assert.deepEqual(signin.idp.takeRequests(), []);
}

describe("a callback that belongs to the browser", () => {
  it("signs in: a refresh cookie for /auth, and back to the interface without any token", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    const response = await openCallback(signin, flow);
    assert.equal(response.status, 302);
    assert.equal(response.headers.get("location"), `${UI_URL}?auth=success`);
    const [cleared = "", refresh = "", ...others] = response.headers.getSetCookie();
    assert.match(
      cleared,
      /^__Host-signin_f_[\w-]{8}=; Path=\/; Max-Age=0; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.match(
      refresh,
      /^__Secure-signin_rt=rt1\.[\w-]+; Path=\/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.deepEqual(others, []);
    const types = signin.audited.map(({ type }) => type);
    assert.deepEqual(types, ["identity.linked", "login.success", "session.created"]);
  });

  it("finds the account again by the provider's subject, whatever the address has become", async () => {
    await using signin = await createTestSignin();
    const first = await signIn(signin);
    const changed = { email: "other@example.test", emailVerified: false, name: "Other" };
    const second = await signIn(signin, changed);
    assert.equal(second.user.id, first.user.id);
    assert.equal(second.user.email, "ada@example.test");
  });

  it("begins a new session each time and leaves the old one alone", async () => {
    await using signin = await createTestSignin();
    const first = await signIn(signin);
    const second = await signIn(signin);
    assert.notEqual(first.cookie, second.cookie);
    await refreshByCookie(signin, first.cookie);
  });

  it("of several tabs works in each, in any order", async () => {
    await using signin = await createTestSignin();
    const flows = [await beginFlow(signin), await beginFlow(signin), await beginFlow(signin)];
    const cookie = flows.map((flow) => flow.cookie).join("; ");
    for (const { url } of flows.reverse()) {
      assert.equal((await openCallback(signin, { url, cookie })).status, 302);
    }
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 3);
  });

  it("of 25 at once, for one flow, succeeds exactly once", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    const callback = await signin.idp.authorize(flow.url);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => signin.call("GET", callback, { cookie: flow.cookie })),
    );
    assert.equal(countStatus(answers, 302), 1);
    assert.equal(countStatus(answers, 400), 24);
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 1);
  });

  it("of 25 first sign-ins at once makes one account", async () => {
    await using signin = await createTestSignin();
    const flows = await Promise.all(Array.from({ length: 25 }, () => beginFlow(signin)));
    const answers = await Promise.all(flows.map((flow) => openCallback(signin, flow)));
    assert.equal(countStatus(answers, 302), 25);
    assert.equal((await signin.rows("SELECT 1 FROM users")).length, 1);
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });
});

describe("state", () => {
  const begin = async (signin: TestSignin) => {
    const flow = await beginFlow(signin);
    const callback = await signin.idp.authorize(flow.url);
    signin.idp.takeRequests();
    return { ...flow, callback };
  };

  it("is single-use", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
    signin.idp.takeRequests();
    const again = await signin.call("GET", callback, { cookie });
    assert.equal(await refusalOf(again), "400 invalid_state");
    assert.deepEqual(signin.idp.takeRequests(), []);
  });

  it("is single-use where the first callback failed, too", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    signin.idp.intercept = () => new Response(null, { status: 500 });
    assert.equal((await signin.call("GET", callback, { cookie })).status, 502);
    signin.idp.intercept = undefined;
    assert.equal(
      await refusalOf(await signin.call("GET", callback, { cookie })),
      "400 invalid_state",
    );
  });

  it("ends after ten minutes", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    signin.deps.clock.advance(600_000);
    await assertSafe(signin, await signin.call("GET", callback, { cookie }), "400 state_expired");
  });

  it("is good until then", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    signin.deps.clock.advance(599_000);
    assert.equal((await openCallback(signin, flow)).status, 302);
  });

  it("does nothing in another browser, and stays good in its own", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const other = await begin(signin);
    for (const foreign of [undefined, other.cookie, `${cookie.split("=")[0]}=${randomToken()}`]) {
      const response = await signin.call("GET", callback, { cookie: foreign });
      await assertSafe(signin, response, "400 invalid_state");
    }
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
  });

  it("is refused where the binding cookie came twice", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const tossed = `${cookie}; ${cookie.split("=")[0]}=${randomToken()}`;
    await assertSafe(
      signin,
      await signin.call("GET", callback, { cookie: tossed }),
      "400 invalid_state",
    );
  });

  it("of one provider is nothing at another one's callback", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const mixed = callback.replace("/auth/google/", "/auth/github/");
    await assertSafe(signin, await signin.call("GET", mixed, { cookie }), "400 invalid_state");
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
  });

  it("is not spent by HEAD", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    assert.equal((await signin.call("HEAD", callback, { cookie })).status, 405);
    assert.equal((await signin.call("GET", callback, { cookie })).status, 302);
  });

  const queries: Record<string, (state: string) => string> = {
    "no state": () => "?code=x",
    "an empty state": () => "?code=x&state=",
    "an unknown state": () => `?code=x&state=${randomToken()}`,
    "two states": (state) => `?code=x&state=${state}&state=${state}`,
    "a very long state": () => `?code=x&state=${"s".repeat(5000)}`,
    "a state with a line feed": (state) => `?code=x&state=${state}%0a`,
    "a state in another case": (state) => `?code=x&state=${state.toUpperCase()}`,
    "a list for a state": (state) => `?code=x&state[]=${state}`,
    nothing: () => "",
  };
  for (const [name, query] of Object.entries(queries)) {
    it(`is needed: ${name} is refused`, async () => {
      await using signin = await createTestSignin();
      const { url, cookie } = await begin(signin);
      const state = new URL(url).searchParams.get("state") ?? "";
      const response = await signin.call("GET", `/auth/google/callback${query(state)}`, { cookie });
      await assertSafe(signin, response, "400 invalid_state");
    });
  }

  it("of a flow whose verifier cannot be opened, or was moved to another row, is refused", async () => {
    await using signin = await createTestSignin();
    const [first, second] = [await begin(signin), await begin(signin)];
    await signin.rows(
      "UPDATE auth_flows SET pkce_verifier_enc = (SELECT max(pkce_verifier_enc) FROM auth_flows)",
    );
    const answers = [
      await signin.call("GET", first.callback, { cookie: first.cookie }),
      await signin.call("GET", second.callback, { cookie: second.cookie }),
    ];
    assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 400]);
  });

  it("does not hold for POST", async () => {
    await using signin = await createTestSignin();
    const { callback, cookie } = await begin(signin);
    const response = await signin.call("POST", callback, { cookie });
    assert.equal(response.status, 405);
    assert.match(response.headers.get("allow") ?? "", /GET/);
  });
});

describe("an answer of the provider in the callback", () => {
  const callWith = async (signin: TestSignin, extra: string, drop: string[] = []) => {
    const flow = await beginFlow(signin);
    const url = new URL(await signin.idp.authorize(flow.url));
    for (const name of drop) url.searchParams.delete(name);
    signin.idp.takeRequests();
    return signin.call("GET", `${url.href}${extra}`, { cookie: flow.cookie });
  };

  const cases: [name: string, extra: string, drop: string[], refusal: string][] = [
    ["the person's no", "&error=access_denied&error_uri=canary", ["code"], "403 access_denied"],
    ["another error", "&error=server_error", ["code"], "502 provider_error"],
    ["an error beside a code", "&error=access_denied", [], "403 access_denied"],
    ["no code", "", ["code"], "403 identity_rejected"],
    ["two codes", "&code=other", [], "403 identity_rejected"],
    [
      "another issuer (RFC 9207)",
      "&iss=https%3A%2F%2Fevil.example.test",
      [],
      "403 identity_rejected",
    ],
    ["a token of the implicit flow", "&id_token=a.b.c", [], "403 identity_rejected"],
    ["a JARM response", "&response=a.b.c", [], "403 identity_rejected"],
  ];
  for (const [name, extra, drop, refusal] of cases) {
    it(`that is ${name} signs nobody in`, async () => {
      await using signin = await createTestSignin();
      await assertSafe(signin, await callWith(signin, extra, drop), refusal);
      assert.equal(signin.logged.join().includes("canary"), false);
    });
  }

  it("that is a code of somebody else's flow is refused by PKCE", async () => {
    await using signin = await createTestSignin();
    const victim = await beginFlow(signin);
    const attacker = await beginFlow(signin);
    const stolen = new URL(await signin.idp.authorize(attacker.url, { subject: "666" }));
    const callback = new URL(`${BASE_URL}/auth/google/callback`);
    callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    callback.searchParams.set("state", new URL(victim.url).searchParams.get("state") ?? "");
    const response = await signin.call("GET", callback.href, { cookie: victim.cookie });
    assert.equal(await refusalOf(response), "403 identity_rejected");
    assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
  });
});

describe("linking", () => {
  it("adds the identity and goes back to the interface", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    const response = await link(signin, accessToken, { provider: "github", subject: "77" });
    assert.equal(response.headers.get("location"), `${UI_URL}?connected=github`);
    assert.equal(
      response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
      false,
    );
    const github = await signIn(signin, { provider: "github", subject: "77" });
    const google = await signIn(signin);
    assert.equal(github.user.id, google.user.id);
  });

  it("of the same identity again changes nothing", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    for (let at = 0; at < 2; at += 1) {
      assert.equal((await link(signin, accessToken)).status, 302);
    }
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 2);
  });

  it("takes an identity without a verified address: the account has one", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin, { provider: "github" });
    const person = { provider: "google", subject: "9", emailVerified: false };
    assert.equal((await link(signin, accessToken, person)).status, 302);
  });

  it("is refused where another account has the identity", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, {
      provider: "github",
      subject: "77",
      emails: [{ email: "bob@example.test", verified: true }],
    });
    const { accessToken } = await signIn(signin);
    const response = await link(signin, accessToken, { provider: "github", subject: "77" });
    assert.equal(await refusalOf(response), "409 identity_in_use");
  });

  it("is refused where the account has another identity of the provider", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    await link(signin, accessToken, { provider: "github", subject: "77" });
    const response = await link(signin, accessToken, { provider: "github", subject: "78" });
    assert.equal(await refusalOf(response), "409 identity_in_use");
  });

  const vanishings: [name: string, sql: string][] = [
    ["the session was revoked", "UPDATE sessions SET revoked_at = 1"],
    ["the session has expired", "UPDATE sessions SET expires_at = 1"],
    ["the session row is gone", "DELETE FROM sessions"],
    ["the user was deleted", "DELETE FROM users"],
  ];
  for (const [name, sql] of vanishings) {
    it(`answers 401 where ${name} meanwhile, and asks the provider nothing`, async () => {
      await using signin = await createTestSignin();
      const { accessToken } = await signIn(signin);
      const flow = await beginFlow(signin, "github", { bearer: accessToken });
      const callback = await signin.idp.authorize(flow.url);
      await signin.rows(sql);
      signin.idp.takeRequests();
      const response = await signin.call("GET", callback, { cookie: flow.cookie });
      assert.equal(await refusalOf(response), "401 session_expired");
      assert.deepEqual(signin.idp.takeRequests(), []);
    });
  }

  it("adds nothing where the session ends while the provider answers", async () => {
    await using signin = await createTestSignin();
    const { accessToken } = await signIn(signin);
    const flow = await beginFlow(signin, "github", { bearer: accessToken });
    signin.idp.intercept = async (request) => {
      if (request.url.endsWith("/api/user"))
        await signin.rows("UPDATE sessions SET revoked_at = 1");
      return undefined;
    };
    assert.equal(await refusalOf(await openCallback(signin, flow)), "401 session_expired");
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });

  it("cannot be finished in the browser of a victim", async () => {
    await using signin = await createTestSignin();
    const attacker = await signIn(signin, { subject: "666", email: "mallory@example.test" });
    const flow = await beginFlow(signin, "github", { bearer: attacker.accessToken });
    const callback = await signin.idp.authorize(flow.url, { subject: "77" });
    const response = await signin.call("GET", callback);
    assert.equal(await refusalOf(response), "400 invalid_state");
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });
});

describe("accounts", () => {
  it("are never linked by e-mail: a new identity with a known address is refused", async () => {
    await using signin = await createTestSignin();
    await signIn(signin, { email: "ada@example.test" });
    const flow = await beginFlow(signin, "github");
    const response = await openCallback(signin, flow, {
      subject: "5",
      emails: [{ email: "ADA@example.test", primary: true, verified: true }],
    });
    assert.equal(await refusalOf(response), "409 account_exists");
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 1);
  });

  it("cannot be prepared for a victim with an address that is not verified", async () => {
    await using signin = await createTestSignin();
    const flow = await beginFlow(signin);
    const response = await openCallback(signin, flow, {
      email: "victim@example.test",
      emailVerified: false,
    });
    assert.equal(await refusalOf(response), "403 email_unverified");
    assert.deepEqual(await signin.rows("SELECT 1 FROM users"), []);
  });

  it("of two providers' equal subjects are two", async () => {
    await using signin = await createTestSignin();
    const google = await signIn(signin, { subject: "42", email: "a@example.test" });
    const github = await signIn(signin, {
      provider: "github",
      subject: "42",
      emails: [{ email: "b@example.test", verified: true }],
    });
    assert.notEqual(google.user.id, github.user.id);
  });
});

describe("a user who is deleted while signing in", () => {
  it("gets no session, and the server no fault", async () => {
    await using signin = await createTestSignin();
    await signIn(signin);
    const { $client } = signin.db;
    const batch = $client.batch.bind($client);
    $client.batch = async (...args: Parameters<typeof batch>) => {
      await signin.rows("DELETE FROM users");
      return batch(...args);
    };
    const response = await openCallback(signin, await beginFlow(signin));
    assert.equal(await refusalOf(response), "401 session_expired");
    assert.deepEqual(keptCookies(response), []);
  });
});

describe("a native callback", () => {
  const begin = async (signin: TestSignin) => {
    const { challenge } = await createPkce();
    const query = nativeQuery(challenge, "http://localhost:4000/cb?app=1");
    return (await signin.call("GET", `/auth/google/login${query}`)).json();
  };

  it("tells the client at the loopback address what went wrong, with its state", async () => {
    await using signin = await createTestSignin();
    const { url, state } = await begin(signin);
    const response = await openCallback(signin, { url, cookie: "" }, { emailVerified: false });
    assert.equal(response.status, 302);
    assert.equal(
      response.headers.get("location"),
      `http://localhost:4000/cb?app=1&error=email_unverified&state=${state}`,
    );
    assert.deepEqual(keptCookies(response), []);
  });

  it("tells it the person's no", async () => {
    await using signin = await createTestSignin();
    const { state } = await begin(signin);
    const callback = `/auth/google/callback?error=access_denied&state=${state}`;
    const location = (await signin.call("GET", callback)).headers.get("location");
    assert.equal(location, `http://localhost:4000/cb?app=1&error=access_denied&state=${state}`);
  });

  it("tells nobody anything where the state is not good", async () => {
    await using signin = await createTestSignin();
    const { url } = await begin(signin);
    signin.deps.clock.advance(600_000);
    const response = await openCallback(signin, { url, cookie: "" });
    assert.equal(await refusalOf(response), "400 state_expired");
    assert.equal(response.headers.has("location"), false);
  });

  it("sets no session cookie in the system browser", async () => {
    await using signin = await createTestSignin();
    const { url } = await begin(signin);
    const response = await openCallback(signin, { url, cookie: "" });
    assert.deepEqual(keptCookies(response), []);
    assert.deepEqual(await signin.rows("SELECT 1 FROM sessions"), []);
  });
});

describe("the trail of callbacks", () => {
  const last = (signin: TestSignin) => {
    const event = signin.audited.at(-1);
    assert.ok(event);
    return { ...event, client: undefined };
  };

  it("tells a rejected identity from a failed sign-in, and neither has a secret", async () => {
    await using signin = await createTestSignin();
    await openCallback(signin, await beginFlow(signin), { emailVerified: false });
    assert.deepEqual(last(signin), {
      type: "identity.rejected",
      outcome: "failure",
      userId: undefined,
      sessionId: undefined,
      client: undefined,
      detail: { provider: "google", mode: "login", reason: "email_unverified" },
    });
    const flow = await beginFlow(signin);
    signin.idp.intercept = () => new Response(null, { status: 500 });
    await openCallback(signin, flow);
    assert.equal(last(signin).type, "login.failure");
    assert.equal(signin.audited.length, 2);
  });

  it("keeps a refused link with the account that asked for it", async () => {
    await using signin = await createTestSignin();
    const { accessToken, user } = await signIn(signin);
    await link(signin, accessToken, { provider: "github", emails: [] });
    assert.equal(last(signin).type, "identity.rejected");
    assert.equal(last(signin).userId, user.id);
  });
});

describe("a refused callback", () => {
  const path = `/auth/google/callback?code=canary-code&state=canary-state`;

  it("is a page for a browser: no script, nothing of the request, and a way back", async () => {
    await using signin = await createTestSignin();
    const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    const response = await signin.call("GET", path, { headers: { accept } });
    assert.equal(response.status, 400);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(
      response.headers.get("content-security-policy") ?? "",
      /^default-src 'none'; style-src 'unsafe-inline'/,
    );
    const text = await response.text();
    assert.match(text, /invalid_state/);
    assert.match(text, new RegExp(`href="${UI_URL}"`));
    assert.doesNotMatch(text, /<script|canary/);
  });

  for (const accept of ["application/json", "*/*", undefined]) {
    it(`is JSON for Accept: ${accept ?? "nothing"}`, async () => {
      await using signin = await createTestSignin();
      const response = await signin.call("GET", path, { headers: accept ? { accept } : {} });
      assert.equal(response.headers.get("content-type"), "application/json");
      const { error, code, request_id, ...rest } = await response.json();
      assert.equal(code, "invalid_state");
      assert.equal(typeof error, "string");
      assert.equal(request_id, response.headers.get("x-request-id"));
      assert.deepEqual(rest, {});
    });
  }
});
