import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createConnection } from "../../../engine/client/connection.ts";
import { type Address, fixedEndpoint } from "../../../engine/client/endpoint.ts";
import type { ClientRequest } from "../../../shared/client/request.ts";
import { createAnsweredClient } from "../../support/engine/engine.ts";

const OLD: Address = { baseUrl: "http://127.0.0.1:1/api/v1", token: "old" };
const NEW: Address = { baseUrl: "http://127.0.0.1:2/api/v1", token: "new" };

/** A connection whose engine was restarted: `old` fails, and renewing gives `renewed`. */
function restarted(old: () => Response, renewed: Address | undefined) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${request.headers.get("authorization")}`);
    return request.url.startsWith(OLD.baseUrl) ? old() : new Response("{}");
  };
  const endpoint = { current: () => OLD, renew: async () => renewed };
  const { signal: closed } = new AbortController();
  return { connection: createConnection({ endpoint, fetch, closed, waitMs: 0 }), requests };
}

const refused = () => {
  throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
};
const broken = () => {
  throw new TypeError("fetch failed", { cause: { code: "UND_ERR_SOCKET" } });
};
const unauthorized = () =>
  new Response('{"error":"Missing or invalid bearer token."}', { status: 401 });

describe("a request to an engine that was restarted", () => {
  it("is repeated once with the new token after a 401", async () => {
    const { connection, requests } = restarted(unauthorized, NEW);
    await connection.send({ method: "POST", path: "/x", body: "{}" });
    assert.deepEqual(requests, ["POST Bearer old", "POST Bearer new"]);
  });

  it("is a 401 where there is no other address", async () => {
    const { connection, requests } = restarted(unauthorized, undefined);
    await assert.rejects(connection.send({ method: "GET", path: "/x" }), { status: 401 });
    assert.equal(requests.length, 1);
  });

  it("is repeated where it was never sent", async () => {
    const { connection, requests } = restarted(refused, NEW);
    await connection.send({ method: "POST", path: "/x", body: "{}" });
    assert.deepEqual(requests, ["POST Bearer old", "POST Bearer new"]);
  });

  it("is repeated after a broken connection only where it reads", async () => {
    const reading = restarted(broken, NEW);
    await reading.connection.send({ method: "GET", path: "/x" });
    assert.equal(reading.requests.length, 2);
    const writing = restarted(broken, NEW);
    await assert.rejects(writing.connection.send({ method: "POST", path: "/x", body: "{}" }), {
      name: "EngineError",
      status: 0,
      message: "No response came from the engine at http://127.0.0.1:1/api/v1: UND_ERR_SOCKET.",
    });
    assert.equal(writing.requests.length, 1);
  });
});

describe("a request while the engine is away", () => {
  const READ = { method: "GET", path: "/x" };
  const WRITE = { method: "POST", path: "/x", body: "{}" };

  /** A connection whose engine answers from the third attempt on. */
  function away(fail: () => Response, waitMs = 60_000) {
    let attempts = 0;
    const connection = createConnection({
      endpoint: { current: () => OLD },
      fetch: async () => {
        attempts += 1;
        return attempts < 3 ? fail() : new Response("{}");
      },
      closed: new AbortController().signal,
      waitMs,
    });
    return { connection, attempts: () => attempts };
  }

  const CASES: [string, ClientRequest, () => Response, number, number | undefined][] = [
    ["reads, and waits", READ, broken, 3, undefined],
    ["writes, and was never sent, waits", WRITE, refused, 3, undefined],
    ["writes, and may have arrived, rejects at once", WRITE, broken, 1, 0],
  ];
  for (const [what, request, fail, count, status] of CASES) {
    it(`that ${what}`, async () => {
      const { connection, attempts } = away(fail);
      const sent = connection.send(request);
      if (status === undefined) assert.equal((await sent).status, 200);
      else await assert.rejects(sent, { name: "EngineError", status });
      assert.equal(attempts(), count);
    });
  }

  it("rejects with EngineNotRunning after the wait, at once if that is 0", async () => {
    for (const request of [READ, WRITE]) {
      const { connection, attempts } = away(refused, 0);
      await assert.rejects(connection.send(request), { name: "EngineNotRunning", status: 0 });
      assert.equal(attempts(), 1);
    }
  });

  it("ends its wait with its signal", async () => {
    const { connection, attempts } = away(refused);
    const stop = new AbortController();
    const sent = connection.send({ ...READ, signal: stop.signal });
    await new Promise(setImmediate);
    stop.abort(new Error("enough"));
    await assert.rejects(sent, /enough/);
    assert.ok(attempts() < 3);
  });
});

describe("a token that is a function", () => {
  /** A client of an engine that takes one token, and what it was asked with. */
  function guarded(tokens: (() => string | Promise<string>)[], accepted: string) {
    const given: (string | null)[] = [];
    let calls = 0;
    const client = createAnsweredClient(
      (request) => {
        const authorization = request.headers.get("authorization");
        given.push(authorization);
        return authorization === `Bearer ${accepted}` ? Response.json([]) : unauthorized();
      },
      { token: () => tokens[calls++]?.() ?? "none" },
    );
    return { client, given, calls: () => calls };
  }

  it("is kept until a 401, then asked once, for all requests", async () => {
    const { client, given, calls } = guarded([() => "old", async () => "new"], "new");
    await Promise.all([client.tools.list(), client.tools.list()]);
    await client.tools.list();
    assert.equal(calls(), 2);
    const [old, renewed] = ["Bearer old", "Bearer new"];
    assert.deepEqual(given.toSorted(), [renewed, renewed, renewed, old, old]);
  });

  it("that is refused again is an EngineError", async () => {
    const { client, calls } = guarded([() => "old", () => "old"], "new");
    await assert.rejects(client.tools.list(), { name: "EngineError", status: 401 });
    assert.equal(calls(), 2);
  });

  it("that fails rejects the call with its reason, and is asked by the next one", async () => {
    const fail = () => {
      throw new RangeError("no token");
    };
    const { client } = guarded([fail, async () => fail(), () => "old", fail, () => "new"], "new");
    const failure = { name: "RangeError", message: "no token" };
    await assert.rejects(client.tools.list(), failure);
    await assert.rejects(client.chat({ threadUuid: "t", content: "x" }), failure);
    await assert.rejects(client.changes().next(), failure);
    assert.deepEqual(await client.tools.list(), []);
  });
});

describe("an answer that fails", () => {
  it("gives the sentence of problem details", async () => {
    const detail = "The key file is gone.";
    const client = createAnsweredClient(() =>
      Response.json({ title: "T", detail }, { status: 503 }),
    );
    await assert.rejects(client.tools.list(), { status: 503, message: detail });
  });

  it("has a message though its body has none", async () => {
    const client = createAnsweredClient(() => new Response("<html>", { status: 404 }));
    await assert.rejects(client.tools.list(), { status: 404, message: "The engine answered 404." });
  });

  it("is a redirect, which is not followed, wherever it leads", async () => {
    const asked: string[] = [];
    const client = createAnsweredClient((request) => {
      asked.push(`${request.url} ${request.redirect}`);
      return new Response(null, { status: 307, headers: { location: "https://evil.example/" } });
    });
    const message =
      "The engine answered with a redirect, which is not followed. Check the address.";
    await assert.rejects(client.tools.list(), { name: "EngineError", status: 307, message });
    assert.deepEqual(asked, ["http://127.0.0.1:7717/api/v1/tool-registry manual"]);
  });

  it("that never came names its reason", async () => {
    const wrong = new TypeError("Invalid option.");
    const nested = new AggregateError([], "", { cause: undefined });
    const cases: [unknown, string][] = [
      [wrong, "Invalid option"],
      [
        new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED ::1:1") }),
        "connect ECONNREFUSED ::1:1",
      ],
      [
        new TypeError("fetch failed", { cause: Object.assign(nested, { code: "ECONNREFUSED" }) }),
        "ECONNREFUSED",
      ],
      ["gone", "gone"],
    ];
    for (const [error, reason] of cases) {
      const client = createAnsweredClient(
        () => {
          throw error;
        },
        { reconnectMs: 0 },
      );
      const message = `No response came from the engine at http://127.0.0.1:7717/api/v1: ${reason}.`;
      await assert.rejects(client.tools.list(), { name: "EngineNotRunning", status: 0, message });
    }
  });

  it("that is no JSON names the operation", async () => {
    const client = createAnsweredClient(() => new Response("<html>"));
    const message = "The answer of GET /tool-registry could not be read.";
    await assert.rejects(client.tools.list(), { name: "EngineError", status: 200, message });
  });
});

describe("the address of an engine", () => {
  const expected = "http://127.0.0.1:7717/api/v1";
  for (const given of ["", "/", "/api/v1", "/api/v1/", "//"]) {
    it(`is taken with ${JSON.stringify(given)} at its end`, async () => {
      const endpoint = fixedEndpoint({ baseUrl: `http://127.0.0.1:7717${given}`, token: "t" });
      assert.equal((await endpoint.current()).baseUrl, expected);
    });
  }

  it("is asked for where it is none", () => {
    for (const baseUrl of ["", "null", "127.0.0.1"]) {
      assert.throws(() => fixedEndpoint({ baseUrl, token: "t" }), {
        name: "EngineError",
        message: "baseUrl: must be the address of an engine, such as http://127.0.0.1:7717.",
      });
    }
  });

  it("keeps a path before the prefix", async () => {
    const endpoint = fixedEndpoint({ baseUrl: "https://host.example/engine", token: "t" });
    assert.equal((await endpoint.current()).baseUrl, "https://host.example/engine/api/v1");
  });
});
