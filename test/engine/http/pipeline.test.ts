import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createTestEngine,
  TEST_HEADERS,
  TEST_TOKEN,
  type TestEngine,
} from "../../support/engine/engine.ts";

const UNAUTHORIZED = { error: "Missing or invalid bearer token." };
const APP = "https://app.example";

type Overrides = { headers?: Record<string, string>; base?: string };

async function send(
  { engine }: TestEngine,
  method: string,
  path: string,
  { headers = {}, base = "http://127.0.0.1" }: Overrides = {},
): Promise<Response> {
  return engine.fetch(new Request(`${base}${path}`, { method, headers }));
}

async function createWithOrigin(): Promise<TestEngine> {
  const bare = await createTestEngine();
  const config = { ...bare.deps.config, allowedOrigins: [APP] };
  await bare[Symbol.asyncDispose]();
  return createTestEngine({ config });
}

describe("the bearer", () => {
  it("is required on every path under /api/v1, known or not, by every method", async () => {
    await using test = await createTestEngine();
    const host = { Host: "127.0.0.1" };
    for (const path of [
      "/api/v1/workspaces",
      "/api/v1/openapi.json",
      "/api/v1/nowhere",
      "/api/v1/",
      "/api/v1",
      "/api/v1/health/",
      "/api/v1/health/x",
      "/api/v1/%68ealth",
      "/api/v1//health",
    ]) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const answer = await send(test, method, path, { headers: host });
        assert.equal(answer.status, 401, `${method} ${path}`);
        if (method !== "HEAD") assert.deepEqual(await answer.json(), UNAUTHORIZED);
      }
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await send(test, method, "/api/v1/health", { headers: host });
      assert.equal(answer.status, 401, `${method} /api/v1/health`);
    }
  });

  it("is not required by GET and HEAD of the health check, with a query or not", async () => {
    await using test = await createTestEngine();
    for (const path of ["/api/v1/health", "/api/v1/health?x=1"]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await send(test, method, path, { headers: { Host: "127.0.0.1" } });
        assert.equal(answer.status, 200);
      }
    }
  });

  const wrong = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer wrong",
    `Bearer ${TEST_TOKEN}x`,
    `Bearer ${TEST_TOKEN.slice(0, -1)}`,
    `Bearer  ${TEST_TOKEN}`,
    `Bearer x${TEST_TOKEN}`,
    `Bearer ${TEST_TOKEN}${TEST_TOKEN}`,
    `Bearer ${TEST_TOKEN}, Bearer ${TEST_TOKEN}`,
    `Basic ${TEST_TOKEN}`,
    `bearer ${TEST_TOKEN}`,
    TEST_TOKEN,
  ];
  for (const authorization of wrong) {
    it(`\`${authorization}\` is refused`, async () => {
      await using test = await createTestEngine();
      const headers = { Host: "127.0.0.1", Authorization: authorization };
      const answer = await send(test, "GET", "/api/v1/workspaces", { headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get("www-authenticate"), "Bearer");
      assert.deepEqual(await answer.json(), UNAUTHORIZED);
    });
  }

  it("is not read from the query on HTTP", async () => {
    await using test = await createTestEngine();
    const path = `/api/v1/workspaces?token=${TEST_TOKEN}`;
    assert.equal((await send(test, "GET", path, { headers: { Host: "127.0.0.1" } })).status, 401);
  });
});

describe("the routes", () => {
  it("answer an unknown path with 404", async () => {
    await using test = await createTestEngine();
    for (const path of ["/nowhere", "/workspaces/", "/workspaces/a/b/c", "//health"]) {
      const answer = await test.call("PATCH", path);
      assert.equal(answer.status, 404, path);
      assert.deepEqual(await answer.json(), { error: "Not found." });
    }
  });

  it("answer a path outside /api/v1 with 404, also one that only looks like it once it is decoded", async () => {
    await using test = await createTestEngine();
    for (const path of ["/", "/health", "/api/v2/health", "/api/v1x", "/api/v%31/workspaces"]) {
      const answer = await send(test, "GET", path, { headers: TEST_HEADERS });
      assert.equal(answer.status, 404, path);
      assert.deepEqual(await answer.json(), { error: "Not found." });
    }
  });

  const others: [string, string, string][] = [
    ["DELETE", "/health", "GET, HEAD"],
    ["GET", "/agui", "POST"],
    ["PATCH", "/workspaces", "GET, HEAD, POST"],
    ["POST", "/workspaces/some-id", "DELETE, GET, HEAD, PUT"],
    ["OPTIONS", "/settings", "GET, HEAD, PUT"],
    ["GET", "/messages", "POST"],
    ["POST", "/openapi.json", "GET, HEAD"],
  ];
  for (const [method, path, allow] of others) {
    it(`answer ${method} ${path} with 405 and the methods that can be used`, async () => {
      await using test = await createTestEngine();
      const answer = await test.call(method, path);
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get("allow"), allow);
      const { error } = (await answer.json()) as { error: string };
      assert.equal(typeof error, "string");
    });
  }

  it("answer HEAD as GET, without a body", async () => {
    await using test = await createTestEngine();
    const head = await test.call("HEAD", "/workspaces");
    assert.equal(head.status, 200);
    assert.match(head.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(await head.text(), "");
    assert.equal((await test.call("HEAD", "/workspaces/none")).status, 404);
    assert.equal((await test.call("HEAD", "/agui")).status, 405);
  });

  it("answer HEAD of the event stream at once, and leave no stream open for it", async () => {
    await using test = await createTestEngine();
    const head = await test.call("HEAD", "/stream");
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("content-type"), "text/event-stream");
    assert.equal(await head.text(), "");
  });

  it("describe themselves, once asked, as OpenAPI 3.1", async () => {
    await using test = await createTestEngine();
    const first = await test.call("GET", "/openapi.json");
    const document = (await first.json()) as { openapi: string; paths: object };
    assert.equal(document.openapi, "3.1.0");
    assert.ok("/api/v1/workspaces/{uuid}" in document.paths);
    assert.deepEqual(await (await test.call("GET", "/openapi.json")).json(), document);
  });
});

describe("browsers", () => {
  it("of an unlisted origin are refused first, preflights too, and can read nothing", async () => {
    await using test = await createWithOrigin();
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const headers = {
        ...TEST_HEADERS,
        Origin: "https://evil.example",
        "Access-Control-Request-Method": "POST",
      };
      const answer = await send(test, method, "/api/v1/workspaces", { headers });
      assert.equal(answer.status, 403);
      assert.equal(answer.headers.get("access-control-allow-origin"), null);
      assert.equal(typeof ((await answer.json()) as { error: string }).error, "string");
    }
  });

  it("of the engine's own origin need no CORS headers and get none", async () => {
    await using test = await createWithOrigin();
    const headers = { ...TEST_HEADERS, Origin: "http://127.0.0.1" };
    const answer = await send(test, "GET", "/api/v1/workspaces", { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
  });

  it("of a listed origin get their preflight answered without the bearer", async () => {
    await using test = await createWithOrigin();
    const headers = {
      Host: "127.0.0.1",
      Origin: APP,
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "authorization, content-type",
    };
    const answer = await send(test, "OPTIONS", "/api/v1/threads/x", { headers });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get("access-control-allow-origin"), APP);
    assert.match(answer.headers.get("access-control-allow-methods") ?? "", /\bPUT\b/);
    assert.match(answer.headers.get("access-control-allow-headers") ?? "", /\bAuthorization\b/i);
    assert.match(answer.headers.get("vary") ?? "", /\bOrigin\b/);
    assert.equal(answer.headers.get("access-control-allow-credentials"), null);
  });

  it("of a listed origin may read answers, refusals too", async () => {
    await using test = await createWithOrigin();
    for (const [headers, status] of [
      [{ ...TEST_HEADERS, Origin: APP }, 200],
      [{ Host: "127.0.0.1", Origin: APP }, 401],
    ] as const) {
      const answer = await send(test, "GET", "/api/v1/workspaces", { headers });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get("access-control-allow-origin"), APP);
    }
  });

  it("of a listed origin that ask OPTIONS without a preflight need the bearer", async () => {
    await using test = await createWithOrigin();
    const headers = { Host: "127.0.0.1", Origin: APP };
    assert.equal((await send(test, "OPTIONS", "/api/v1/threads/x", { headers })).status, 401);
  });

  it("behind another name for the engine are refused: a page that rebinds its name sends no Origin", async () => {
    await using test = await createTestEngine();
    const headers = { ...TEST_HEADERS, Host: "evil.example" };
    for (const path of ["/api/v1/health", "/api/v1/workspaces", "/nowhere"]) {
      assert.equal((await send(test, "GET", path, { headers })).status, 403);
      const base = "http://evil.example";
      assert.equal((await send(test, "GET", path, { headers: TEST_HEADERS, base })).status, 403);
    }
  });
});
