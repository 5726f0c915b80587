// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createVault } from "../../../engine/secrets/vault.ts";
import {
  ACCOUNT_KEY,
  ACCOUNT_USER,
  CREDENTIALS,
  openAccountTest,
  refused,
  tokens,
} from "../../support/engine/account.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

const LOGGED_OUT = { authenticated: false, user: null };
const LOGGED_IN = { authenticated: true, user: ACCOUNT_USER };

describe("without an account server", () => {
  it("no user is signed in, and a sign-in names the missing variable", async () => {
    await using test = await createTestEngine();
    assert.deepEqual(await json(await test.call("GET", "/account/session")), LOGGED_OUT);
    assert.deepEqual(await json(await test.call("POST", "/account/logout", "{")), LOGGED_OUT);
    const error = { error: "No account server is configured." };
    for (const [path, body] of [
      ["login", CREDENTIALS],
      ["signup/code", { email: "a" }],
      ["signup/complete", { email: "a", code: "1", password: "p" }],
    ] as const) {
      assert.deepEqual(await json(await test.call("POST", `/account/${path}`, body), 502), error);
    }
  });
});

describe("blank and missing fields", () => {
  for (const [path, body, details] of [
    ["login", {}, "email: is required; password: is required"],
    ["login", { email: "a", password: " \t" }, "password: must not be empty"],
    ["login", { email: "", password: "p" }, "email: must not be empty"],
    ["login", { email: null, password: "p" }, "email: must be a string"],
    ["signup/code", { email: " " }, "email: must not be empty"],
    ["signup/complete", { email: "a", code: " ", password: "p" }, "code: must not be empty"],
    ["signup/complete", { email: "a", code: "1" }, "password: is required"],
    [
      "signup/complete",
      { email: "a", code: "1", password: "p", display_name: 1 },
      "display_name: must be a string",
    ],
  ] as const) {
    it(`are 400 on ${path}: ${JSON.stringify(body)}, and no call leaves`, async () => {
      await using test = await openAccountTest();
      const response = await test.engine.call("POST", `/account/${path}`, body);
      const error = { error: "The request is not valid.", details };
      assert.deepEqual(await json(response, 400), error);
      assert.deepEqual(test.cloud.calls(), []);
    });
  }
});

describe("signing in", () => {
  it("sends trimmed strings, passwords and codes too", async () => {
    await using test = await openAccountTest();
    test.cloud.script("POST /auth/signup/complete", tokens(1));
    assert.deepEqual(await json(await test.login()), LOGGED_IN);
    const signup = { email: " a@b.c ", code: " 12345678 ", password: " p w ", display_name: " A " };
    const complete = await test.engine.call("POST", "/account/signup/complete", signup);
    assert.deepEqual(await json(complete), LOGGED_IN);
    assert.deepEqual(
      test.cloud.requests.map(({ body }) => body),
      [
        { email: "ada@example.com", password: "secret word" },
        { email: "a@b.c", code: "12345678", password: "p w", display_name: "A" },
      ],
    );
  });

  it("passes a second factor on, and tells the two refusals that ask for one", async () => {
    await using test = await openAccountTest();
    for (const code of ["second_factor_required", "second_factor_rejected"]) {
      test.cloud.script("POST /auth/login", Response.json({ error: "No.", code }, { status: 401 }));
      assert.deepEqual(await json(await test.login(), 401), { error: "No.", details: code });
    }
    const other = Response.json({ error: "No.", code: "invalid_credentials" }, { status: 401 });
    test.cloud.script("POST /auth/login", other);
    assert.deepEqual(await json(await test.login(), 401), { error: "No." });
    test.cloud.script("POST /auth/login", tokens(1));
    const body = { email: "a@b.c", password: "p w", second_factor: " 123456 " };
    assert.deepEqual(await json(await test.engine.call("POST", "/account/login", body)), LOGGED_IN);
    assert.deepEqual(test.cloud.requests.at(-1)?.body, { ...body, second_factor: "123456" });
  });

  it("completes a sign-up without a display name", async () => {
    await using test = await openAccountTest();
    test.cloud.script("POST /auth/signup/complete", tokens(1));
    const signup = { email: "a@b.c", code: "12345678", password: "p w" };
    const complete = await test.engine.call("POST", "/account/signup/complete", signup);
    assert.deepEqual(await json(complete), LOGGED_IN);
    assert.deepEqual(test.cloud.requests[0]?.body, signup);
  });

  it("keeps the runtime token", async () => {
    await using test = await openAccountTest();
    await json(await test.login());
    const address = "http://127.0.0.1/api/v1/workspaces";
    const headers = { Host: "127.0.0.1", Authorization: "Bearer access-1" };
    const cloudToken = await test.engine.engine.fetch(new Request(address, { headers }));
    assert.equal(cloudToken.status, 401);
    assert.equal((await test.engine.call("GET", "/workspaces")).status, 200);
  });

  it("forwards the notice of a sign-up code", async () => {
    await using test = await openAccountTest();
    test.cloud.script("POST /auth/signup/code", Response.json({ notice: "Sent.", extra: 1 }));
    const response = await test.engine.call("POST", "/account/signup/code", { email: "a@b.c" });
    assert.deepEqual(await json(response), { notice: "Sent." });
  });

  it("requests the user where the token response has none", async () => {
    await using test = await openAccountTest();
    test.cloud.script("POST /auth/login", tokens(1, { user: undefined }));
    assert.deepEqual(await json(await test.login()), LOGGED_IN);
    assert.deepEqual(test.cloud.calls(), ["POST /auth/login", "GET /auth/me"]);
  });

  it("that fails half-way leaves no session", async () => {
    await using test = await openAccountTest();
    test.cloud
      .script("POST /auth/login", tokens(1, { user: undefined }))
      .script("GET /auth/me", refused(503, "Away."));
    assert.deepEqual(await json(await test.login(), 503), { error: "Away." });
    assert.deepEqual(await readdir(test.dataDirectory), []);
    assert.deepEqual(await json(await test.session()), LOGGED_OUT);
  });

  it("keeps the refresh token sealed and private in the data directory, and in no answer", async () => {
    await using test = await openAccountTest();
    const text = await (await test.login()).text();
    assert.doesNotMatch(text, /refresh-1|access-1/);
    const path = join(test.dataDirectory, "account.sealed");
    assert.doesNotMatch(await readFile(path, "utf8"), /refresh-1/);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(test.dataDirectory), ["account.sealed"]);
  });

  it("takes over a session that was signed in elsewhere, and rotates its token at once", async () => {
    await using test = await openAccountTest();
    test.cloud.script("POST /auth/refresh", tokens(2));
    const response = await test.engine.call("POST", "/account/adopt", { refresh_token: "given" });
    assert.deepEqual(await json(response), LOGGED_IN);
    assert.deepEqual(test.cloud.requests[0]?.body, { refresh_token: "given" });
  });
});

describe("a saved session", () => {
  it("survives a restart", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.cloud.script("POST /auth/refresh", tokens(2));
    await using second = await test.restart();
    assert.deepEqual(await json(await second.call("GET", "/account/session")), LOGGED_IN);
    assert.deepEqual(test.cloud.requests[1]?.body, { refresh_token: "refresh-1" });
  });

  it("is refreshed when its access token ends, and the new refresh token is used the next time", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.cloud.script("POST /auth/refresh", tokens(2), tokens(3));
    await json(await test.session());
    assert.deepEqual(test.cloud.calls(), ["POST /auth/login", "GET /auth/me"]);
    for (const used of ["refresh-1", "refresh-2"]) {
      test.engine.deps.clock.advance(600_000);
      assert.deepEqual(await json(await test.session()), LOGGED_IN);
      const [refresh, me] = test.cloud.requests.splice(0);
      assert.deepEqual(refresh?.body, { refresh_token: used });
      assert.equal(me?.authorization, `Bearer access-${used === "refresh-1" ? 2 : 3}`);
    }
  });

  it("is refreshed once for many concurrent requests", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.engine.deps.clock.advance(600_000);
    test.cloud.calls();
    test.cloud.script("POST /auth/refresh", tokens(2), refused(401));
    const answers = await Promise.all(Array.from({ length: 20 }, test.session));
    for (const answer of answers) assert.deepEqual(await json(answer), LOGGED_IN);
    assert.equal(test.cloud.calls().filter((call) => call === "POST /auth/refresh").length, 1);
  });

  it("is on the disk in its new form before its access token is used", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.engine.deps.clock.advance(600_000);
    const path = join(test.dataDirectory, "account.sealed");
    const before = await readFile(path, "utf8");
    let atUse = "";
    test.cloud.script("POST /auth/refresh", tokens(2)).script("GET /auth/me", async () => {
      atUse = await readFile(path, "utf8");
      return Response.json(ACCOUNT_USER);
    });
    await json(await test.session());
    assert.notEqual(atUse, before);
    assert.equal(atUse, await readFile(path, "utf8"));
  });

  it("that the server rejects is logged out with 200, and deleted", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.engine.deps.clock.advance(600_000);
    test.cloud.script("POST /auth/refresh", refused(401, "The session has ended."));
    const { notice, ...session } = await json(await test.session());
    assert.deepEqual(session, LOGGED_OUT);
    assert.match(notice, /Sign in again/);
    assert.deepEqual(await readdir(test.dataDirectory), []);
    test.cloud.calls();
    assert.deepEqual(await json(await test.session()), LOGGED_OUT);
    assert.deepEqual(test.cloud.calls(), []);
  });

  it("that was revoked while its access token still runs is logged out, too", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.cloud.script("GET /auth/me", refused(401)).script("POST /auth/refresh", refused(401));
    assert.equal((await json(await test.session())).authenticated, false);
  });

  it("continues with a new access token where only the old one was rejected", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.cloud
      .script("GET /auth/me", refused(401), Response.json(ACCOUNT_USER))
      .script("POST /auth/refresh", tokens(2));
    assert.deepEqual(await json(await test.session()), LOGGED_IN);
  });

  it("is refreshed once more where the connection broke", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.engine.deps.clock.advance(600_000);
    test.cloud.script("POST /auth/refresh", new TypeError("fetch failed"), tokens(2));
    assert.deepEqual(await json(await test.session()), LOGGED_IN);
  });
});

describe("logging out", () => {
  it("clears the session here and there", async () => {
    await using test = await openAccountTest();
    await test.login();
    test.cloud.calls();
    test.cloud.script("POST /auth/logout", new Response(null, { status: 204 }));
    assert.deepEqual(await json(await test.engine.call("POST", "/account/logout")), LOGGED_OUT);
    assert.equal(test.cloud.requests[0]?.authorization, "Bearer access-1");
    assert.deepEqual(await readdir(test.dataDirectory), []);
    assert.deepEqual(await json(await test.session()), LOGGED_OUT);
  });

  for (const [name, answer] of [
    ["fails", refused(500)],
    ["is away", new TypeError("fetch failed")],
  ] as const) {
    it(`clears the session here even if the server ${name}`, async () => {
      await using test = await openAccountTest();
      await test.login();
      test.engine.deps.clock.advance(600_000);
      test.cloud.script("POST /auth/logout", answer).script("POST /auth/refresh", answer);
      assert.deepEqual(await json(await test.engine.call("POST", "/account/logout")), LOGGED_OUT);
      assert.deepEqual(await readdir(test.dataDirectory), []);
      assert.deepEqual(await json(await test.session()), LOGGED_OUT);
    });
  }
});

describe("a secure store that fails", () => {
  it("answers 503 with an Error body, and keeps the saved session", async () => {
    let works = true;
    const vault = createVault({
      load: async () => {
        if (!works) throw new Error("locked");
        return ACCOUNT_KEY;
      },
    });
    await using test = await openAccountTest();
    await test.login();
    works = false;
    const config = test.engine.deps.config;
    await using broken = await createTestEngine({ config, fetch: test.cloud.fetch, vault });
    const session = await json(await broken.call("GET", "/account/session"), 503);
    assert.deepEqual(Object.keys(session), ["error"]);
    const login = await json(await broken.call("POST", "/account/login", CREDENTIALS), 503);
    assert.deepEqual(Object.keys(login), ["error"]);
    works = true;
    test.cloud.script("POST /auth/refresh", tokens(2));
    assert.deepEqual(await json(await broken.call("GET", "/account/session")), LOGGED_IN);
  });
});
