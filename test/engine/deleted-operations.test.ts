import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { createTestEngine, deletedRowsGone, type TestEngine } from "../support/engine/engine.ts";
import { createTestFolder, type TestFolder } from "../support/engine/files.ts";
import { json } from "../support/http.ts";

type Document = { paths: Record<string, Record<string, object>> };

const document: Document = JSON.parse(
  readFileSync(new URL("../../engine/openapi.json", import.meta.url), "utf8"),
);

/** Every operation on one workspace or thread. */
const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) => {
  const short = path.replace(/^\/api\/v1/, "");
  const isOne = /^\/(workspaces|threads)\/\{uuid\}/.test(short);
  return isOne ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${short}`) : [];
});

/** The lists answer none for what is unknown (Engine §7). */
const EMPTY_LISTS = [
  "GET /workspaces/{uuid}/threads",
  "GET /threads/{uuid}/messages",
  "GET /threads/{uuid}/turns",
  "GET /threads/{uuid}/forks",
];

const QUERY = "?q=x&rootIndex=0&path=a.txt&query=x";

/** A body that each operation takes, where it needs one. */
const BODIES: Record<string, object> = {
  "PUT /workspaces/{uuid}": { name: "n" },
  "POST /workspaces/{uuid}/files/content": { content: "c" },
  "PUT /workspaces/{uuid}/files/content": { content: "c" },
  "POST /workspaces/{uuid}/files/move": {
    sourceRootIndex: 0,
    sourcePath: "a.txt",
    destinationRootIndex: 0,
    destinationPath: "b",
  },
  "POST /workspaces/{uuid}/rag/search": { query: "x" },
  "PUT /workspaces/{uuid}/instructions": { text: "", useAgentsFile: true },
  "POST /workspaces/{uuid}/turns": { content: "x" },
  "POST /threads/{uuid}/turns": { content: "x" },
};

async function assertGone(test: TestEngine, prefix: string, uuid: string): Promise<void> {
  for (const operation of OPERATIONS.filter((each) => each.includes(` /${prefix}/`))) {
    const [method = "", path = ""] = operation.split(" ");
    const concrete = path.replace("{uuid}", uuid).replace(/\{[^}]*\}/g, "0");
    const body = method === "GET" || method === "DELETE" ? undefined : (BODIES[operation] ?? {});
    const response = await test.call(method, concrete + QUERY, body);
    if (EMPTY_LISTS.includes(operation)) assert.deepEqual(await json(response), [], operation);
    else assert.equal(response.status, 404, `${operation}: ${await response.text()}`);
  }
}

async function createHarness(test: TestEngine, root: TestFolder) {
  const directories = JSON.stringify([root.path]);
  const create = async (path: string, body: object) =>
    (await json(await test.call("POST", path, body))).uuid as string;
  const workspace = await create("/workspaces", { name: "w", directories });
  const thread = await create("/threads", { workspaceUuid: workspace });
  await create("/messages", { threadUuid: thread, role: "user", content: "c" });
  return { workspace, thread };
}

describe("what is deleted", () => {
  it("is found by no operation, before and after its rows are removed", async () => {
    await using root = await createTestFolder({ "a.txt": "a", b: {} });
    await using test = await createTestEngine();
    const { workspace, thread } = await createHarness(test, root);
    const other = await createHarness(test, root);
    assert.equal((await test.call("DELETE", `/threads/${thread}`)).status, 204);
    await assertGone(test, "threads", thread);
    assert.deepEqual(await json(await test.call("GET", `/workspaces/${workspace}/threads`)), []);
    const second = (await json(await test.call("POST", "/threads", { workspaceUuid: workspace })))
      .uuid;
    assert.equal((await test.call("DELETE", `/workspaces/${workspace}`)).status, 204);
    for (const uuid of [thread, second]) await assertGone(test, "threads", uuid);
    await assertGone(test, "workspaces", workspace);
    await assertRefused(test, workspace, second);
    await deletedRowsGone(test.deps.db);
    await assertGone(test, "threads", second);
    await assertGone(test, "workspaces", workspace);
    const names = await json(await test.call("GET", "/workspaces"));
    assert.deepEqual(
      names.map(({ uuid }: { uuid: string }) => uuid),
      [other.workspace],
    );
    assert.equal((await test.call("GET", `/threads/${other.thread}`)).status, 200);
  });
});

async function assertRefused(test: TestEngine, workspaceUuid: string, threadUuid: string) {
  const message = { threadUuid, role: "user", content: "c" };
  assert.equal((await test.call("POST", "/threads", { workspaceUuid })).status, 404);
  assert.equal((await test.call("POST", "/messages", message)).status, 404);
}
