import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EngineError } from "../../../engine/errors.ts";
import { BearerCheck } from "../../../engine/http/guard.ts";
import { decideUpgrade } from "../../../engine/realtime/node-sockets.ts";

const bearer = new BearerCheck("right");

describe("which requests become a socket", () => {
  const PATH = "/api/v1/events";
  const cases = [
    ["the bearer", PATH, "Bearer right", "open"],
    ["no bearer, but the query", `${PATH}?token=right`, null, "open"],
    ["a header that is no bearer, and the query", `${PATH}?token=right`, "Basic eA==", "open"],
    ["a bearer without a value, and the query", `${PATH}?token=right`, "Bearer ", "open"],
    ["the bearer, whatever the query says", `${PATH}?token=wrong`, "Bearer right", "open"],
    ["a whole URL", `http://127.0.0.1:1${PATH}`, "Bearer right", "open"],
    ["nothing", PATH, null, "unauthorized"],
    ["a wrong bearer", PATH, "Bearer wrong", "unauthorized"],
    [
      "a wrong bearer, though the query is right",
      `${PATH}?token=right`,
      "Bearer x",
      "unauthorized",
    ],
    [
      "a malformed bearer, though the query is right",
      `${PATH}?token=right`,
      "Bearer %",
      "unauthorized",
    ],
    [
      "the scheme in lower case, which is not taken",
      `${PATH}?token=right`,
      "bearer right",
      "unauthorized",
    ],
    ["a wrong query", `${PATH}?token=wrong`, null, "unauthorized"],
    ["an empty query", `${PATH}?token=`, null, "unauthorized"],
    ["two headers", PATH, "Bearer right, Bearer right", "unauthorized"],
    ["another path", "/api/v1/event", "Bearer right", 404],
    ["another path without the bearer", "/api/v1/event?token=right", null, 401],
    ["a path that is spelled otherwise", "/api/v1/%65vents", "Bearer right", 404],
    ["a slash too many", `${PATH}/`, "Bearer right", 404],
    ["no path at all", "*", "Bearer right", 404],
    ["nonsense", "http://[", "Bearer right", 404],
  ] as const;
  for (const [name, target, authorization, expected] of cases) {
    it(`with ${name}: ${expected}`, () => {
      const decision = decideUpgrade({ target, authorization }, bearer);
      if (typeof expected === "string") return assert.equal(decision, expected);
      assert.ok(decision instanceof EngineError);
      assert.equal(decision.code, expected === 404 ? "not_found" : "unauthorized");
    });
  }
});
