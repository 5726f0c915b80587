import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createConnection } from "../../../engine/client/connection.ts";
import { type Address, fixedEndpoint } from "../../../engine/client/endpoint.ts";
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
  return { connection: createConnection(endpoint, fetch, new AbortController().signal), requests };
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
      const client = createAnsweredClient(() => {
        throw error;
      });
      const message = `No response came from the engine at http://127.0.0.1:7717/api/v1: ${reason}.`;
      await assert.rejects(client.tools.list(), { name: "EngineError", status: 0, message });
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
    it(`is taken with ${JSON.stringify(given)} at its end`, () => {
      assert.equal(
        fixedEndpoint({ baseUrl: `http://127.0.0.1:7717${given}`, token: "t" }).current().baseUrl,
        expected,
      );
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

  it("keeps a path before the prefix", () => {
    assert.equal(
      fixedEndpoint({ baseUrl: "https://host.example/engine", token: "t" }).current().baseUrl,
      "https://host.example/engine/api/v1",
    );
  });
});
