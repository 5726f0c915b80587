import assert from "node:assert/strict";
import { it } from "node:test";
import { bindOperations, type Operation } from "../../../shared/client/operation.ts";

it("operations become the methods of namespaces, each of which is there by its id, too", () => {
  const called: [Operation, readonly unknown[]][] = [];
  const table = {
    listThreads: { as: "threads.list", to: "GET /threads", query: ["limit"], traits: [] },
    getThreadPolicy: { as: "threads.getPolicy", to: "GET /threads", query: [], traits: [] },
    getHealth: { as: "system.getHealth", to: "GET /health", query: [], traits: [] },
  };
  const bound = bindOperations(table, (...call) => called.push(call));
  assert.deepEqual(Object.keys(bound), ["threads", "system", "operations"]);
  assert.deepEqual(Object.keys(bound.threads ?? {}), ["list", "getPolicy"]);
  assert.equal(bound.threads?.getPolicy, bound.operations?.getThreadPolicy);
  const list = bound.threads?.list;
  assert.ok(typeof list === "function");
  list("id", { limit: 1 });
  assert.deepEqual(called, [[table.listThreads, ["id", { limit: 1 }]]]);
});
