import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  countStatus,
  keptCookies,
  refreshByCookie,
  refusalOf,
  signIn,
  signInNative,
} from "../../support/signin/flows.ts";
import { createTestSignin, type TestSignin, UI_URL } from "../../support/signin/signin.ts";

function refresh(signin: TestSignin, token: string): Promise<Response> {
  return signin.call("POST", "/auth/refresh", { body: { refresh_token: token } });
}

async function nextToken(signin: TestSignin, token: string): Promise<string> {
  const response = await refresh(signin, token);
  assert.equal(response.status, 200);
  return (await response.json()).refresh_token;
}

describe("POST /auth/refresh with a token in the body", () => {
  it("answers a new pair, and the new access token works", async () => {
    await using signin = await createTestSignin();
    const first = await signInNative(signin);
    const response = await refresh(signin, first.refresh_token);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.deepEqual(response.headers.getSetCookie(), []);
    const answer = await response.json();
    assert.deepEqual(Object.keys(answer).sort(), [
      "access_token",
      "expires_in",
      "refresh_expires_in",
      "refresh_token",
      "token_type",
      "user",
    ]);
    assert.notEqual(answer.refresh_token, first.refresh_token);
    const me = await signin.call("GET", "/auth/me", { bearer: answer.access_token });
    assert.equal(me.status, 200);
  });

  it("gives 25 parallel calls one identical successor", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => refresh(signin, refresh_token)),
    );
    assert.equal(countStatus(answers, 200), 25);
    const tokens = await Promise.all(
      answers.map(async (answer) => (await answer.json()).refresh_token),
    );
    assert.equal(new Set(tokens).size, 1);
    const [session] = await signin.rows("SELECT counter FROM sessions");
    assert.equal(session?.counter, 1);
  });

  it("repeats a lost answer within the grace", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    const next = await nextToken(signin, refresh_token);
    signin.deps.clock.advance(60_000);
    assert.equal(await nextToken(signin, refresh_token), next);
    assert.notEqual(await nextToken(signin, next), next);
  });

  it("ends the session where an old token comes back after the grace", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    const next = await nextToken(signin, refresh_token);
    signin.deps.clock.advance(61_000);
    assert.equal(await refusalOf(await refresh(signin, refresh_token)), "401 refresh_reused");
    assert.equal(await refusalOf(await refresh(signin, next)), "401 session_expired");
    const [session] = await signin.rows("SELECT revoke_reason FROM sessions");
    assert.equal(session?.revoke_reason, "reuse");
    assert.ok(signin.audited.some(({ type }) => type === "session.reuse_detected"));
  });

  it("ends the session where a token two generations old comes back, however soon", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    await nextToken(signin, await nextToken(signin, refresh_token));
    assert.equal(await refusalOf(await refresh(signin, refresh_token)), "401 refresh_reused");
  });

  it("finds a thief and a victim who refresh in turn, every ten minutes", async () => {
    await using signin = await createTestSignin();
    const { refresh_token: stolen } = await signInNative(signin);
    await nextToken(signin, stolen);
    signin.deps.clock.advance(600_000);
    const second = await refresh(signin, stolen);
    assert.equal(await refusalOf(second), "401 refresh_reused");
  });

  it("revokes access at once, too", async () => {
    await using signin = await createTestSignin();
    const { refresh_token, access_token } = await signInNative(signin);
    await nextToken(signin, refresh_token);
    signin.deps.clock.advance(61_000);
    await refresh(signin, refresh_token);
    const me = await signin.call("GET", "/auth/me", { bearer: access_token });
    assert.equal(await refusalOf(me), "401 session_expired");
  });

  it("keeps a session alive by use, and never beyond its absolute end", async () => {
    await using signin = await createTestSignin({
      SESSION_IDLE_DAYS: "30",
      SESSION_ABSOLUTE_DAYS: "90",
    });
    let { refresh_token: token } = await signInNative(signin);
    for (let at = 0; at < 3; at += 1) {
      signin.deps.clock.advance(29 * 86_400_000);
      token = await nextToken(signin, token);
    }
    const late = await (await refresh(signin, token)).json();
    assert.equal(late.refresh_expires_in, 3 * 86_400);
    signin.deps.clock.advance(3 * 86_400_000);
    assert.equal(await refusalOf(await refresh(signin, late.refresh_token)), "401 session_expired");
  });

  it("ends a session that was not used for thirty days", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    signin.deps.clock.advance(30 * 86_400_000);
    assert.equal(await refusalOf(await refresh(signin, refresh_token)), "401 session_expired");
  });

  it("refuses a forged token before it asks the database", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    let asked = 0;
    const { $client } = signin.db;
    const execute = $client.execute.bind($client);
    $client.execute = (...args: Parameters<typeof execute>) => {
      asked += 1;
      return execute(...args);
    };
    const forged = refresh_token.slice(0, -2) + (refresh_token.endsWith("AA") ? "BA" : "AA");
    assert.equal(await refusalOf(await refresh(signin, forged)), "401 invalid_token");
    assert.equal(asked, 0);
  });

  it("needs one statement", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    const warm = await nextToken(signin, refresh_token);
    const statements: string[] = [];
    const { $client } = signin.db;
    const execute = $client.execute.bind($client);
    $client.execute = (...args: Parameters<typeof execute>) => {
      statements.push(JSON.stringify(args[0]));
      return execute(...args);
    };
    await nextToken(signin, warm);
    assert.equal(statements.length, 1, statements.join("\n"));
  });

  it("gives 50 parallel calls their one successor, beyond the limit of a minute", async () => {
    await using signin = await createTestSignin();
    const { refresh_token } = await signInNative(signin);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => refresh(signin, refresh_token)),
    );
    assert.equal(countStatus(answers, 200), 50);
    const tokens = await Promise.all(
      answers.map(async (answer) => (await answer.json()).refresh_token),
    );
    assert.equal(new Set(tokens).size, 1);
  });

  it("lets a session refresh thirty times a minute", async () => {
    await using signin = await createTestSignin();
    let { refresh_token: token } = await signInNative(signin);
    for (let at = 0; at < 30; at += 1) token = await nextToken(signin, token);
    const refused = await refresh(signin, token);
    assert.equal(await refusalOf(refused), "429 rate_limited");
    signin.deps.clock.advance(60_000);
    await nextToken(signin, token);
  });

  const BODIES: Record<string, [body: unknown, refusal: string]> = {
    "no token at all": [undefined, "401 invalid_token"],
    "an empty object": [{}, "401 invalid_token"],
    "an empty token": [{ refresh_token: "" }, "401 invalid_token"],
    "an access token": [{ refresh_token: "eyJhbGciOiJIUzI1NiJ9.e30.x" }, "401 invalid_token"],
    "a number": [{ refresh_token: 1 }, "400 invalid_request"],
    "an array": [{ refresh_token: ["a"] }, "400 invalid_request"],
    null: ["null", "400 invalid_request"],
    "malformed JSON": ["{", "400 invalid_request"],
  };
  for (const [name, [body, refusal]] of Object.entries(BODIES)) {
    it(`refuses ${name}`, async () => {
      await using signin = await createTestSignin();
      assert.equal(await refusalOf(await signin.call("POST", "/auth/refresh", { body })), refusal);
    });
  }
});

describe("POST /auth/refresh by cookie", () => {
  it("sets the next cookie and keeps the refresh token out of the body", async () => {
    await using signin = await createTestSignin();
    const { cookie } = await signIn(signin);
    const response = await signin.call("POST", "/auth/refresh", { cookie, origin: UI_URL });
    assert.deepEqual(Object.keys(await response.json()).sort(), [
      "access_token",
      "expires_in",
      "token_type",
      "user",
    ]);
    const [set = ""] = response.headers.getSetCookie();
    assert.match(
      set,
      /^__Secure-signin_rt=rt1\.[\w-]+; Path=\/auth; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.notEqual(keptCookies(response)[0], cookie);
  });

  for (const origin of [
    undefined,
    "https://evil.example.test",
    "null",
    "https://app.example.test.evil.test",
    "http://app.example.test",
  ]) {
    it(`is refused from ${origin ?? "nowhere"}, and the session goes on`, async () => {
      await using signin = await createTestSignin();
      const { cookie } = await signIn(signin);
      const response = await signin.call("POST", "/auth/refresh", { cookie, origin });
      assert.equal(await refusalOf(response), "403 forbidden_origin");
      await refreshByCookie(signin, cookie);
    });
  }

  it("is refused where the cookie came twice", async () => {
    await using signin = await createTestSignin();
    const { cookie } = await signIn(signin);
    const response = await signin.call("POST", "/auth/refresh", {
      cookie: `${cookie}; __Secure-signin_rt=rt1.tossed`,
      origin: UI_URL,
    });
    assert.equal(await refusalOf(response), "400 invalid_request");
  });

  it("is refused where a token came in the body as well", async () => {
    await using signin = await createTestSignin();
    const { cookie } = await signIn(signin);
    const body = { refresh_token: cookie.split("=")[1] };
    const response = await signin.call("POST", "/auth/refresh", { cookie, origin: UI_URL, body });
    assert.equal(await refusalOf(response), "400 invalid_request");
  });

  it("takes the cookie away when the session has ended", async () => {
    await using signin = await createTestSignin();
    const { cookie } = await signIn(signin);
    await signin.rows("UPDATE sessions SET revoked_at = 1");
    const response = await signin.call("POST", "/auth/refresh", { cookie, origin: UI_URL });
    assert.equal(response.status, 401);
    assert.match(
      response.headers.getSetCookie()[0] ?? "",
      /^__Secure-signin_rt=; Path=\/auth; Max-Age=0;/,
    );
  });

  it("does not take the name of the plain-http cookie under https", async () => {
    await using signin = await createTestSignin();
    const { cookie } = await signIn(signin);
    const plain = cookie.replace("__Secure-", "");
    const response = await signin.call("POST", "/auth/refresh", { cookie: plain, origin: UI_URL });
    assert.equal(await refusalOf(response), "401 invalid_token");
  });
});
