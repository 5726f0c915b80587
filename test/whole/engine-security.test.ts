import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { MIB } from "../../shared/units.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { rawGet, sendRaw } from "../support/http.ts";

const METHODS = ["get", "put", "post", "delete"] as const;
const UNAUTHORIZED = JSON.stringify({ error: "Missing or invalid bearer token." });

let engine: EngineProcess;
before(async () => {
  engine = await startEngineProcess({ env: { ENGINE_ALLOWED_HOSTS: "engine.internal" } });
});
after(() => engine[Symbol.asyncDispose]());

async function everyOperation(): Promise<{ method: string; path: string }[]> {
  const document = (await (await engine.call("GET", "/openapi.json")).json()) as {
    paths: Record<string, object>;
  };
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) =>
      method in operations
        ? { method: method.toUpperCase(), path: path.replace(/\{[^}]*\}/g, "0") }
        : [],
    ),
  );
}

describe("every operation of the document", () => {
  const credentials: [name: string, authorization: string | undefined, query: string][] = [
    ["no token", undefined, ""],
    ["an empty header", "", ""],
    ["a wrong token", "Bearer wrong", ""],
    ["Basic", "Basic YTpi", ""],
    ["the token in the query", undefined, "?token="],
  ];
  for (const [name, authorization, query] of credentials) {
    it(`but the health check answers ${name} with the exact 401`, async () => {
      const operations = await everyOperation();
      assert.ok(operations.length > 20);
      for (const { method, path } of operations) {
        if (path.endsWith("/health")) continue;
        const url = new URL(path, engine.baseUrl);
        if (query) url.searchParams.set("token", engine.runtime.token);
        const headers: HeadersInit = authorization === undefined ? {} : { authorization };
        const answer = await fetch(url, { method, headers });
        assert.equal(answer.status, 401, `${method} ${path}`);
        assert.equal(await answer.text(), UNAUTHORIZED);
        assert.equal(answer.headers.get("access-control-allow-origin"), null);
      }
    });
  }
});

describe("the Host on the wire", () => {
  const hosts = (port: number): [name: string, target: string, headers: string[], number][] => [
    ["loopback address", "/api/v1/health", [`Host: 127.0.0.1:${port}`], 200],
    ["loopback name in capitals", "/api/v1/health", [`Host: LOCALHOST:${port}`], 200],
    ["IPv6 loopback", "/api/v1/health", [`Host: [::1]:${port}`], 200],
    ["listed name", "/api/v1/health", [`Host: engine.internal:${port}`], 200],
    ["no Host", "/api/v1/health", [], 403],
    ["empty Host", "/api/v1/health", ["Host:"], 403],
    ["two Hosts", "/api/v1/health", [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`], 403],
    ["good Host, then evil", "/api/v1/health", [`Host: 127.0.0.1:${port}`, "Host: evil.com"], 403],
    ["evil name", "/api/v1/health", [`Host: evil.com:${port}`], 403],
    ["evil name below", "/api/v1/health", [`Host: localhost.evil.com:${port}`], 403],
    ["public name of 127.0.0.1", "/api/v1/health", [`Host: 127.0.0.1.nip.io:${port}`], 403],
    ["trailing dot", "/api/v1/health", [`Host: localhost.:${port}`], 403],
    ["trailing dot, no port", "/api/v1/health", ["Host: LOCALHOST."], 403],
    ["mapped IPv4", "/api/v1/health", [`Host: [::ffff:127.0.0.1]:${port}`], 403],
    ["short IPv4", "/api/v1/health", [`Host: 127.1:${port}`], 403],
    ["user information", "/api/v1/health", [`Host: a@127.0.0.1:${port}`], 403],
    ["a port that is none", "/api/v1/health", ["Host: 127.0.0.1:99999"], 403],
    ["another port", "/api/v1/health", ["Host: 127.0.0.1:1"], 403],
    ["no port", "/api/v1/health", ["Host: 127.0.0.1"], 403],
    ["own target", `http://127.0.0.1:${port}/api/v1/health`, [`Host: 127.0.0.1:${port}`], 200],
    ["evil target", "http://evil.com/api/v1/health", [`Host: 127.0.0.1:${port}`], 403],
    ["https target", "https://evil.com/api/v1/health", [`Host: 127.0.0.1:${port}`], 403],
    ["evil Host, own target", `http://127.0.0.1:${port}/api/v1/health`, ["Host: evil.com"], 403],
    ["a foreign origin", "/api/v1/health", [`Host: 127.0.0.1:${port}`, "Origin: http://e"], 403],
    ["a null origin", "/api/v1/health", [`Host: 127.0.0.1:${port}`, "Origin: null"], 403],
    [
      "an unknown upgrade",
      "/api/v1/health",
      [`Host: 127.0.0.1:${port}`, "Upgrade: h2c", "Connection: Upgrade"],
      200,
    ],
    ["a target that is none", "/api/v1\\health", [`Host: 127.0.0.1:${port}`], 400],
    ["a target that is none, evil", "/api/v1\\health", ["Host: evil.com"], 403],
  ];

  it("is held to the table, and every refusal is an Error body", async () => {
    const { port } = engine.runtime;
    for (const [name, target, headers, expected] of hosts(port)) {
      const answer = await sendRaw(port, rawGet(target, headers));
      assert.equal(answer.status, expected, name);
      if (expected !== 200) assert.equal(typeof JSON.parse(answer.body).error, "string", name);
    }
  });

  it("may be missing in HTTP/1.0 no more than in HTTP/1.1", async () => {
    const answer = await sendRaw(engine.runtime.port, "GET /api/v1/health HTTP/1.0\r\n\r\n");
    assert.equal(answer.status, 403);
  });

  it("is checked on the event stream as everywhere", async () => {
    const { port, token } = engine.runtime;
    const bearer = `Authorization: Bearer ${token}`;
    const evil = await sendRaw(port, rawGet("/api/v1/stream", ["Host: evil.com", bearer]));
    assert.equal(evil.status, 403);
    const own = [`Host: 127.0.0.1:${port}`, "Origin: http://evil.com", bearer];
    assert.equal((await sendRaw(port, rawGet("/api/v1/stream", own))).status, 403);
  });

  it("does not help a token that comes twice", async () => {
    const { port, token } = engine.runtime;
    const bearer = `Authorization: Bearer ${token}`;
    const host = `Host: 127.0.0.1:${port}`;
    const once = await sendRaw(port, rawGet("/api/v1/workspaces", [host, bearer]));
    const twice = await sendRaw(port, rawGet("/api/v1/workspaces", [host, bearer, bearer]));
    assert.deepEqual([once.status, twice.status], [200, 401]);
  });
});

describe("hostile requests leave the engine unharmed", () => {
  async function assertAlive(): Promise<void> {
    const workspaces = await engine.call("GET", "/workspaces");
    assert.equal(workspaces.status, 200);
    assert.equal(engine.child.exitCode, null);
  }

  it("bodies that declare or stream more than 16 MiB are 413", async () => {
    const declared = await engine.call("POST", "/workspaces", "x".repeat(16 * MIB + 1));
    assert.equal(declared.status, 413);
    assert.equal(typeof ((await declared.json()) as { error: string }).error, "string");

    const { port, token } = engine.runtime;
    const head = `POST /api/v1/workspaces HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `${MIB.toString(16)}\r\n${"x".repeat(MIB)}\r\n`;
    const streamed = await sendRaw(port, Buffer.from(`${head}${chunk.repeat(17)}0\r\n\r\n`));
    assert.equal(streamed.status, 413);
    await assertAlive();
  });

  it("a body of nearly 16 MiB is read", async () => {
    const body = JSON.stringify({ name: "w", description: "x".repeat(16 * MIB - 100) });
    assert.equal((await engine.call("POST", "/workspaces", body)).status, 200);
  });

  it("malformed, deep, mistyped and torn bodies are 400, or end with their connection", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const body of ["{", "", "nul", "[]", "1", '"x"', '{"name":1}', '{"__proto__":{}}', deep]) {
      const answer = await engine.call("POST", "/workspaces", body);
      assert.equal(answer.status, 400, body.slice(0, 20));
      assert.equal(typeof ((await answer.json()) as { error: string }).error, "string");
    }
    const { port, token } = engine.runtime;
    const torn = `POST /api/v1/workspaces HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n{`;
    assert.equal((await sendRaw(port, torn)).status, 400);
    await assertAlive();
  });

  it("what is no HTTP at all ends with its connection", async () => {
    const { port } = engine.runtime;
    for (const bytes of [
      "\u0016\u0003\u0001",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "\r\n\0\r\n\r\n",
    ]) {
      const { status } = await sendRaw(port, bytes);
      assert.ok(status === 0 || status >= 400);
    }
    const long = rawGet("/api/v1/health", [`Host: 127.0.0.1:${port}`, `X: ${"x".repeat(65_536)}`]);
    assert.equal((await sendRaw(port, long)).status, 431);
    await assertAlive();
  });
});
