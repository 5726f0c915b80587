import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSignin } from "../../../signin/app.ts";
import { refusalOf, signIn } from "../../support/signin/flows.ts";
import { BASE_URL, createTestSignin, UI_URL } from "../../support/signin/signin.ts";

const JSON_BODY = { code: "c", code_verifier: "v".repeat(43) };

describe("Host", () => {
  const env = { TRUSTED_HOSTS: "internal.example.test, other.example.test:8443" };
  const good = [
    "auth.example.test",
    "AUTH.example.test",
    "auth.example.test:443",
    "internal.example.test",
    "internal.example.test:9999",
    "other.example.test:8443",
  ];
  for (const host of good) {
    it(`may be ${host}`, async () => {
      await using signin = await createTestSignin(env);
      const response = await signin.call("GET", "/auth/me", { from: { host } });
      assert.equal(await refusalOf(response), "401 invalid_token");
    });
  }

  const bad = [
    "evil.example.test",
    "auth.example.test.evil.test",
    "auth.example.test:444",
    "auth.example.test.",
    "other.example.test",
    "auth.example.test, evil.test",
    "auth.example.test@evil.test",
    "evil.test#auth.example.test",
    "",
    " ",
    "127.0.0.1",
  ];
  for (const host of bad) {
    it(`is refused as ${JSON.stringify(host)}`, async () => {
      await using signin = await createTestSignin(env);
      const response = await signin.call("GET", "/auth/google/login", { from: { host } });
      assert.equal(await refusalOf(response), "400 untrusted_host");
    });
  }

  it("is looked at in an absolute-form target, too", async () => {
    await using signin = await createTestSignin();
    const from = { host: "auth.example.test" };
    const response = await signin.call("GET", "https://evil.example.test/auth/google/login", {
      from,
    });
    assert.equal(await refusalOf(response), "400 untrusted_host");
  });

  it("never decides an address: callbacks are those of APP_BASE_URL", async () => {
    await using signin = await createTestSignin(env);
    const response = await signin.call("GET", "https://internal.example.test/auth/google/login", {
      headers: {
        "x-forwarded-host": "evil.test",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.test",
      },
    });
    const { searchParams } = new URL(response.headers.get("location") ?? "");
    assert.equal(searchParams.get("redirect_uri"), `${BASE_URL}/auth/google/callback`);
  });

  it("does not matter to a probe", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("GET", "/health", { from: { host: "10.1.2.3:8787" } });
    assert.equal(response.status, 200);
  });
});

describe("Origin", () => {
  const allowed = [UI_URL, BASE_URL, "https://other.example.test"];
  for (const origin of allowed) {
    it(`${origin} may call and read`, async () => {
      await using signin = await createTestSignin();
      const preflight = await signin.call("OPTIONS", "/auth/refresh", {
        origin,
        headers: {
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type",
        },
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get("access-control-allow-origin"), origin);
      assert.equal(preflight.headers.get("access-control-allow-credentials"), "true");
      assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /DELETE/);
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization/);
      const response = await signin.call("GET", "/auth/me", { origin });
      assert.equal(response.headers.get("access-control-allow-origin"), origin);
      assert.match(response.headers.get("vary") ?? "", /Origin/);
    });
  }

  const refused = [
    "https://evil.example.test",
    "https://app.example.test.evil.test",
    "https://evilapp.example.test",
    "http://app.example.test",
    "https://app.example.test:444",
    "https://app.example.test/",
    "HTTPS://APP.EXAMPLE.TEST",
    "null",
    "*",
    "",
  ];
  for (const origin of refused) {
    it(`${JSON.stringify(origin)} may neither write nor read`, async () => {
      await using signin = await createTestSignin();
      const preflight = await signin.call("OPTIONS", "/auth/refresh", {
        origin,
        headers: { "access-control-request-method": "POST" },
      });
      assert.equal(preflight.status, 403);
      const read = await signin.call("GET", "/auth/me", { origin });
      const write = await signin.call("POST", "/auth/native/token", { origin, body: JSON_BODY });
      assert.equal(await refusalOf(write), "403 forbidden_origin");
      for (const response of [preflight, read, write]) {
        assert.equal(response.headers.has("access-control-allow-origin"), false);
        assert.equal(response.headers.has("access-control-allow-credentials"), false);
      }
    });
  }

  it("is not required of clients that are no browsers", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("POST", "/auth/native/token", { body: JSON_BODY });
    assert.equal(await refusalOf(response), "400 invalid_grant");
  });
});

describe("a body", () => {
  const types: [type: string | undefined, refusal: string][] = [
    ["application/json", "400 invalid_grant"],
    ["application/json; charset=utf-8", "400 invalid_grant"],
    ["APPLICATION/JSON", "400 invalid_grant"],
    ["text/plain", "415 unsupported_media_type"],
    ["application/x-www-form-urlencoded", "415 unsupported_media_type"],
    ["multipart/form-data; boundary=x", "415 unsupported_media_type"],
    ["text/json", "415 unsupported_media_type"],
    ["application/jsonp", "415 unsupported_media_type"],
    ["application/json, text/plain", "415 unsupported_media_type"],
    ["", "415 unsupported_media_type"],
  ];
  for (const [type, refusal] of types) {
    it(`of type ${JSON.stringify(type)} gives ${refusal}`, async () => {
      await using signin = await createTestSignin();
      const headers = { "content-type": type ?? "" };
      const response = await signin.call("POST", "/auth/native/token", {
        headers,
        body: JSON_BODY,
      });
      assert.equal(await refusalOf(response), refusal);
    });
  }

  it("of 16 KiB is read, of more is refused, declared or not", async () => {
    await using signin = await createTestSignin();
    const filled = (size: number) => {
      const rest = JSON.stringify({ ...JSON_BODY, filler: "" }).length;
      return JSON.stringify({ ...JSON_BODY, filler: "x".repeat(size - rest) });
    };
    const send = (body: string, declared: boolean) => {
      const stream = new Blob([body]).stream();
      const headers = { "content-type": "application/json" };
      return signin.signin.fetch(
        new Request(`${BASE_URL}/auth/native/token`, {
          method: "POST",
          headers: declared ? { ...headers, "content-length": String(body.length) } : headers,
          ...(declared ? { body } : { body: stream, duplex: "half" }),
        } as RequestInit),
      );
    };
    for (const declared of [true, false]) {
      assert.equal(await refusalOf(await send(filled(16_384), declared)), "400 invalid_grant");
      assert.equal(await refusalOf(await send(filled(16_385), declared)), "413 payload_too_large");
    }
  });

  it("that is not UTF-8 is refused", async () => {
    await using signin = await createTestSignin();
    const response = await signin.signin.fetch(
      new Request(`${BASE_URL}/auth/native/token`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      }),
    );
    assert.equal(await refusalOf(response), "400 invalid_request");
  });

  it("with a prototype in it changes nothing", async () => {
    await using signin = await createTestSignin();
    const body = `{"__proto__":{"code":"c","code_verifier":"${"v".repeat(43)}"}}`;
    const response = await signin.call("POST", "/auth/native/token", { body });
    assert.equal(await refusalOf(response), "400 invalid_request");
  });
});

describe("every answer", () => {
  const calls: [method: string, path: string][] = [
    ["GET", "/health"],
    ["GET", "/auth/me"],
    ["GET", "/auth/google/login"],
    ["GET", "/auth/google/callback"],
    ["GET", "/nowhere"],
    ["DELETE", "/auth/me"],
  ];
  for (const [method, path] of calls) {
    it(`to ${method} ${path} tells browsers to be careful`, async () => {
      await using signin = await createTestSignin();
      const { headers } = await signin.call(method, path);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("x-frame-options"), "DENY");
      assert.equal(headers.get("referrer-policy"), "no-referrer");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
      assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      assert.match(headers.get("strict-transport-security") ?? "", /^max-age=31536000/);
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    });
  }

  it("that refuses has the error, its code and the request's id, and nothing of the input", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("GET", "/canary-path?canary=query");
    const { error, code, request_id, ...rest } = await response.json();
    assert.equal(response.status, 404);
    assert.deepEqual(rest, {});
    assert.equal(code, "not_found");
    assert.equal(request_id, response.headers.get("x-request-id"));
    assert.doesNotMatch(error, /canary/);
  });

  it("to a known path with another method is 405 with Allow", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("PUT", "/auth/native/token");
    assert.equal(await refusalOf(response), "405 method_not_allowed");
    assert.equal(response.headers.get("allow"), "POST");
  });

  it("to a fault of the server says nothing of it", async () => {
    await using signin = await createTestSignin(
      {},
      {
        openDb: () => {
          throw new Error("canary: the database is gone");
        },
      },
    );
    const response = await signin.call("GET", "/auth/google/login");
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /canary/);
    assert.match(signin.logged.join(), /canary/);
  });

  it("keeps the database open until its background work is done", async () => {
    const closed: boolean[] = [];
    await using inner = await createTestSignin();
    await using signin = await createTestSignin(
      {},
      {
        openDb: () => ({ db: inner.db, close: () => closed.push(true) }),
      },
    );
    const waited: Promise<unknown>[] = [];
    await signin.call("GET", "/auth/google/login", {
      from: { waitUntil: (work) => waited.push(work) },
    });
    await Promise.all(waited);
    assert.deepEqual(closed, [true]);
    assert.equal(waited.length, 1);
  });
});

describe("a database", () => {
  it("is opened by the requests that use it alone, once each", async () => {
    let opened = 0;
    let closed = 0;
    await using signin = await createTestSignin();
    const { db } = signin;
    const { fetch } = createSignin({
      ...signin.deps,
      openDb: () => {
        opened += 1;
        return { db, close: () => (closed += 1) };
      },
    });
    for (const path of ["/health", "/.well-known/jwks.json", "/", "/openapi.json", "/nothing"]) {
      await fetch(new Request(`${BASE_URL}${path}`));
    }
    assert.equal(opened, 0);
    const waited: Promise<unknown>[] = [];
    const request = new Request(`${BASE_URL}/auth/google/login`);
    await fetch(request, { waitUntil: (work) => waited.push(work) });
    await Promise.all(waited);
    assert.deepEqual([opened, closed], [1, 1]);
  });
});

describe("logs", () => {
  it("of a whole life of a session hold no secret", async () => {
    await using signin = await createTestSignin();
    const { cookie, accessToken } = await signIn(signin);
    await signin.call("POST", "/auth/refresh", { cookie: `${cookie}x`, origin: UI_URL });
    await signin.call("GET", "/auth/me", { bearer: `${accessToken}x` });
    signin.idp.signIdToken = async () => "eyJhbGciOiJSUzI1NiJ9.e30.canary";
    const begun = await signin.call("GET", "/auth/google/login");
    const binding = begun.headers.getSetCookie()[0]?.split(";")[0];
    const callback = await signin.idp.authorize(begun.headers.get("location") ?? "");
    assert.equal((await signin.call("GET", callback, { cookie: binding })).status, 403);
    const written = signin.logged.join("\n") + JSON.stringify(signin.audited);
    const secrets = [
      accessToken,
      cookie.split("=")[1] ?? "",
      new URL(callback).searchParams.get("code") ?? "",
      new URL(callback).searchParams.get("state") ?? "",
      "canary",
      signin.deps.config.providers[0]?.clientSecret ?? "",
    ];
    for (const secret of secrets) assert.equal(written.includes(secret), false, secret);
  });
});
