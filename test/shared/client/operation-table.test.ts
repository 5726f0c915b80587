import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Operation } from "../../../shared/client/operation.ts";
import { bindOperations, readOperations } from "../../../shared/client/operation-table.ts";
import { writeTable } from "../../../tools/client/table.ts";

const TABLE = `threads
list_Threads_ GET /workspaces/{uuid}/threads?limit&before json
get_Thread_Policy GET /threads/{uuid}/policy
system
getHealth GET /health`;

describe("a table of operations", () => {
  it("has ids, names, queries and traits", () => {
    assert.deepEqual(readOperations(TABLE), {
      listThreads: {
        as: "threads.list",
        to: "GET /workspaces/{uuid}/threads",
        query: ["limit", "before"],
        traits: ["json"],
      },
      getThreadPolicy: {
        as: "threads.getPolicy",
        to: "GET /threads/{uuid}/policy",
        query: [],
        traits: [],
      },
      getHealth: { as: "system.getHealth", to: "GET /health", query: [], traits: [] },
    });
  });

  it("becomes the methods of namespaces, each of which is there by its id, too", () => {
    const called: [Operation, readonly unknown[]][] = [];
    const table = readOperations<"listThreads" | "getThreadPolicy" | "getHealth">(TABLE);
    const bound = bindOperations(table, (...call) => called.push(call));
    assert.deepEqual(Object.keys(bound), ["threads", "system", "operations"]);
    assert.deepEqual(Object.keys(bound.threads ?? {}), ["list", "getPolicy"]);
    assert.equal(bound.threads?.getPolicy, bound.operations?.getThreadPolicy);
    const list = bound.threads?.list;
    assert.ok(typeof list === "function");
    list("id", { limit: 1 });
    assert.deepEqual(called, [[table.listThreads, ["id", { limit: 1 }]]]);
  });

  it("keeps the letters of a name that the noun of the tag shares", () => {
    const named = (id: string, name: string) => {
      const kinds = { answer: { kind: "nothing" }, query: [], takesBearer: false, body: undefined };
      const operation = { ...kinds, id, name, tag: "t", method: "GET", path: "/" };
      const text = writeTable([operation as never], { program: "engine" });
      const table = /readOperations<keyof Operations>\(`([^`]*)`\)/.exec(text)?.[1] ?? "";
      return Object.entries(readOperations(table)).map(([key, { as }]) => [key, as]);
    };
    for (const [id, name] of [
      ["createMessage", "create"],
      ["getTurnEvents", "getEvents"],
      ["listModelModels", "listModels"],
      ["getHealth", "getHealth"],
    ] as const) {
      assert.deepEqual(named(id, name), [[id, `t.${name}`]]);
    }
  });
});
