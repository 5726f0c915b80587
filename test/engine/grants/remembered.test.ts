// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { GRANT_MS, GRANTS_MAX } from "../../../engine/grants/limits.ts";
import { Approvals } from "../../../engine/turns/approvals.ts";
import { UUID } from "../../support/engine/chat.ts";
import { openChanges } from "../../support/engine/engine.ts";
import { type Call, createGrantHarness, type GrantHarness } from "../../support/engine/grants.ts";
import { harnessOf, openEvents, startTurn } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const IN_WORKSPACE = { scope: "workspace", match: "path" };
const EVERYWHERE = { scope: "workspace", match: "tool" };
const read = (path: string): Call => ({
  name: "read_workspace_file",
  args: { root_index: 0, path },
});

describe("an approval that is remembered", () => {
  it("is a grant with all its fields, listed and deleted by its uuid", async () => {
    await using harness = await createGrantHarness();
    const { test, workspaceUuid, threadUuid, folder } = harness;
    await using changes = await openChanges(test);
    await harness.run([read("notes/a.txt")], { remember: IN_WORKSPACE });
    await harness.run([read("top.txt")], { remember: { scope: "thread", match: "tool" } });
    const [ofThread, { uuid, ...ofWorkspace }] = await harness.grants();
    assert.match(uuid, UUID);
    assert.deepEqual(ofWorkspace, {
      scope: "workspace",
      workspaceUuid,
      threadUuid: null,
      toolName: "read_workspace_file",
      server: null,
      match: "path",
      pathPrefix: folder.at("root", "notes"),
      createdAt: "2026-01-02T03:04:05.000Z",
      expiresAt: new Date(Date.parse("2026-01-02T03:04:05.000Z") + GRANT_MS).toISOString(),
      lastUsedAt: null,
    });
    assert.equal(GRANT_MS, 30 * 86_400_000);
    assert.equal(ofThread.threadUuid, threadUuid);
    assert.equal(ofThread.scope, "thread");
    assert.equal(ofThread.pathPrefix, null);
    assert.equal(ofThread.expiresAt, null);
    const counts = async (query: string) => (await harness.grants(query)).length;
    assert.equal(await counts(`?workspaceUuid=${workspaceUuid}`), 2);
    assert.equal(await counts(`?threadUuid=${threadUuid}`), 1);
    for (const query of ["?workspaceUuid=none", "?threadUuid=none", "?workspaceUuid="])
      assert.equal(await counts(query), 0);
    const remove = () => test.call("DELETE", `/approval-grants/${uuid}`);
    assert.equal((await remove()).status, 204);
    assert.equal((await json(await remove(), 404)).error, "Grant not found.");
    assert.equal(await counts(""), 1);
    const seen = [];
    while (seen.at(-1)?.event !== "grant.deleted") seen.push((await changes.take(1))[0]!);
    const types = seen.map(({ event }) => event).filter((event) => event.startsWith("grant."));
    assert.deepEqual(types, ["grant.created", "grant.created", "grant.deleted"]);
    assert.deepEqual(seen.at(-1)!.data, { grantUuid: uuid });
  });

  it("holds from the next call of the same turn on, and its turn and last use are known", async () => {
    await using harness = await createGrantHarness();
    const calls = [read("notes/a.txt"), read("notes/b.txt"), read("notes/sub/c.txt")];
    const first = await harness.run([...calls, read("top.txt")], { remember: IN_WORKSPACE });
    assert.deepEqual(first.asked, [true, false, false, true]);
    const [, grant] = await harness.grants();
    assert.deepEqual(first.grantUuids, [grant.uuid]);
    assert.equal(grant.lastUsedAt, "2026-01-02T03:04:05.000Z");
    harness.test.deps.clock.advance(60_000);
    await harness.run([read("notes/b.txt")], { kind: "websocket" });
    assert.equal((await harness.grants()).at(-1).lastUsedAt, "2026-01-02T03:05:05.000Z");
  });

  it("is stored once for equal answers", async () => {
    await using harness = await createGrantHarness();
    await harness.run([read("notes/a.txt")], { remember: IN_WORKSPACE });
    const [before] = await harness.grants();
    const { test, workspaceUuid } = harness;
    const body = { name: "w", directories: JSON.stringify([harness.folder.at("root")]) };
    const approvalConfig = '{"create":false}';
    await test.call("PUT", `/workspaces/${workspaceUuid}`, { ...body, approvalConfig });
    const again = await harness.run([read("notes/a.txt")], { remember: IN_WORKSPACE });
    assert.deepEqual(again.asked, [true]);
    const [after, ...more] = await harness.grants();
    assert.notEqual(after.uuid, before.uuid);
    assert.deepEqual(more, []);
  });

  it("of a workspace ends after 30 days, and one of a thread does not", async () => {
    await using harness = await createGrantHarness();
    const { clock } = harness.test.deps;
    await harness.run([read("notes/a.txt")], { remember: IN_WORKSPACE });
    clock.advance(GRANT_MS - 1);
    assert.deepEqual((await harness.run([read("notes/a.txt")])).asked, [false]);
    clock.advance(1);
    assert.deepEqual(await harness.grants(), []);
    const remember = { scope: "thread", match: "path" };
    assert.deepEqual((await harness.run([read("notes/a.txt")], { remember })).asked, [true]);
    clock.advance(2 * GRANT_MS);
    assert.deepEqual((await harness.run([read("notes/a.txt")])).asked, [false]);
  });

  it("goes with its thread and with its workspace, from lists and from the database", async () => {
    await using harness = await createGrantHarness();
    const { test, threadUuid, workspaceUuid } = harness;
    await harness.run([read("notes/a.txt")], { remember: { scope: "thread", match: "path" } });
    await harness.run([read("top.txt")], { remember: EVERYWHERE });
    await test.call("DELETE", `/threads/${threadUuid}`);
    assert.deepEqual(
      (await harness.grants()).map(({ scope }) => scope),
      ["workspace"],
    );
    await test.call("DELETE", `/workspaces/${workspaceUuid}`);
    assert.deepEqual(await harness.grants(), []);
    const count = async () => {
      const { rows } = await test.deps.db.$client.execute("SELECT 1 FROM approval_grants");
      return rows.length;
    };
    while ((await count()) > 0) await new Promise(setImmediate);
  });

  it("ends with another approval policy of its thread, where one of the workspace only rests", async () => {
    await using harness = await createGrantHarness();
    const { test, threadUuid } = harness;
    await harness.run([read("notes/a.txt")], { remember: { scope: "thread", match: "tool" } });
    const rests = { name: "list_workspace_folder", args: { root_index: 0, path: "notes" } };
    await harness.run([rests], { remember: EVERYWHERE });
    const approvalConfig = '{"delete":true}';
    await json(await test.call("PUT", `/threads/${threadUuid}/policy`, { approvalConfig }));
    assert.deepEqual((await harness.run([read("notes/a.txt"), rests])).asked, [true, true]);
    const left = await harness.grants();
    assert.deepEqual(
      left.map(({ scope }) => scope),
      ["workspace"],
    );
    await json(await test.call("PUT", `/threads/${threadUuid}/policy`, {}));
    assert.deepEqual((await harness.run([rests])).asked, [false]);
  });

  it("does not open what is switched off", async () => {
    await using harness = await createGrantHarness();
    const { test, threadUuid } = harness;
    await harness.run([read("notes/a.txt")], { remember: EVERYWHERE });
    const body = { tools_enabled: false };
    assert.deepEqual((await harness.run([read("notes/a.txt")], { body })).statuses, ["failed"]);
    const toolsConfig = '{"builtin":{"workspace_files":{"tools":{"read_workspace_file":false}}}}';
    await test.call("PUT", `/threads/${threadUuid}`, { toolsConfig });
    assert.deepEqual((await harness.run([read("notes/a.txt")])).statuses, ["failed"]);
    assert.equal((await harness.grants()).length, 1);
  });

  it("is one of so many: the oldest go", async () => {
    await using harness = await createGrantHarness();
    await harness.run([read("notes/a.txt")], { remember: IN_WORKSPACE });
    await harness.test.deps.db.$client.execute(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${GRANTS_MAX})
       INSERT INTO approval_grants (uuid, workspace_id, tool_name, match, fingerprint, created_at)
       SELECT 'u' || i, 1, 'x', 'tool', '', '' FROM n`,
    );
    await harness.run([read("top.txt")], { remember: EVERYWHERE });
    const grants = await harness.grants();
    assert.equal(grants.length, GRANTS_MAX);
    assert.equal(grants[0].toolName, "read_workspace_file");
    assert.equal(grants.at(-1).uuid, "u2");
  });
});

describe("what is never remembered", () => {
  const at = (harness: GrantHarness, ...path: string[]) => harness.folder.at("root", ...path);
  const CASES: [what: string, call: (harness: GrantHarness) => Call, match: string][] = [
    [
      "all calls of a tool for the whole machine",
      (harness) => ({ name: "read_file", args: { path: at(harness, "top.txt") } }),
      "tool",
    ],
    ["all deletions of a tool", () => ({ name: "delete_note", args: { uuid: "none" } }), "tool"],
    [
      "all deletions of paths",
      (harness) => ({ name: "delete_path", args: { path: at(harness, "top.txt") } }),
      "tool",
    ],
    ["the engine's own data", () => read("data/runtime.json"), "tool"],
    ["a folder of the engine's own data", () => read("data/runtime.json"), "path"],
    ["a sensitive file", () => read("notes/auth.json"), "tool"],
    ["the folder of a sensitive file", () => read("notes/auth.json"), "path"],
    [
      "writing a dot file",
      () => ({
        name: "create_workspace_file",
        args: { root_index: 0, path: ".rules.md", content: "" },
      }),
      "tool",
    ],
    [
      "writing in a dot folder",
      (harness) => ({
        name: "create_file",
        args: { path: at(harness, ".git", "hook"), content: "" },
      }),
      "path",
    ],
    [
      "making a dot folder",
      () => ({ name: "create_workspace_folder", args: { root_index: 0, path: "notes/.x" } }),
      "path",
    ],
    [
      "moving into a dot folder",
      () => ({
        name: "move_workspace_path",
        args: { root_index: 0, path: "top.txt", destination_folder: ".git" },
      }),
      "path",
    ],
    [
      "writing the instructions of agents",
      () => ({
        name: "create_workspace_file",
        args: { root_index: 0, path: "notes/Agents.MD", content: "" },
      }),
      "path",
    ],
    ["a folder without a path", () => ({ name: "list_notes", args: {} }), "path"],
    [
      "a search by its folder",
      () => ({ name: "search_workspace_files", args: { query: "a" } }),
      "path",
    ],
    ["the whole disk", () => ({ name: "list_folder", args: { path: "/" } }), "path"],
    ["a call whose arguments do not fit", () => read(""), "tool"],
  ];
  for (const [what, callOf, match] of CASES) {
    it(`is ${what}: 400, and the approval waits on`, async () => {
      await using harness = await createGrantHarness();
      const call = callOf(harness);
      const ended = await harness.run([call], { remember: { scope: "workspace", match } });
      assert.deepEqual(ended.asked, [true]);
      assert.equal(ended.refused.length, 1);
      assert.match(ended.refused[0]!.details ?? "", /^remember: /);
      assert.deepEqual(await harness.grants(), []);
    });
  }

  it("is a denial", async () => {
    await using harness = await createGrantHarness();
    const options = { remember: EVERYWHERE, decision: "deny" };
    const ended = await harness.run([read("notes/a.txt")], options);
    assert.equal(ended.refused[0]!.details, "remember: Only an approval is remembered.");
    assert.deepEqual(ended.statuses, ["denied"]);
  });

  const BODIES = [
    {},
    { scope: "engine", match: "tool" },
    { scope: "thread", match: "all" },
    "thread",
    [],
  ];
  for (const remember of BODIES) {
    it(`is ${JSON.stringify(remember)}`, async () => {
      await using harness = await createGrantHarness();
      const ended = await harness.run([read("notes/a.txt")], { remember });
      assert.match(ended.refused[0]!.details ?? "", /^remember/);
      assert.deepEqual(ended.statuses, ["completed"]);
    });
  }

  it("is a UI tool, which has nothing to remember it by", async () => {
    const approvals = new Approvals({ changes: { subscribe() {} } } as never);
    const { signal } = new AbortController();
    const place = { threadUuid: "t", workspaceUuid: "w" };
    const approval = { uuid: "a", threadUuid: "t", turnUuid: "u", arguments: {} } as never;
    void approvals.wait({ approval, place, isPublic: true, signal, call: undefined });
    await assert.rejects(approvals.decide("a", "approved", EVERYWHERE as never), /be remembered/);
    assert.equal(approvals.list().length, 1);
  });

  it("is what a socket is asked about: it is answered there alone", async () => {
    await using harness = await harnessOf([[{ call: "create_value", args: {} }], ["done"]], {
      approvalConfig: null,
    });
    const { socket, test, threadUuid } = harness;
    await socket.say({
      type: "chat.send",
      id: "t",
      data: { content: "go", thread_uuid: threadUuid },
    });
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    const body = { decision: "approve", remember: EVERYWHERE };
    await json(await test.call("POST", `/approvals/${approval_id}`, body), 404);
    assert.deepEqual(await json(await test.call("GET", "/approval-grants")), []);
  });
});

describe("two answers to one approval", () => {
  it("are one, whichever is remembered: the other is 409 and leaves no grant", async () => {
    for (const second of [{ decision: "deny" }, { decision: "approve", remember: EVERYWHERE }]) {
      await using harness = await harnessOf([[{ call: "create_value", args: {} }], ["done"]], {
        approvalConfig: null,
      });
      const { test } = harness;
      const turn = await startTurn(harness);
      await using reader = await openEvents(harness, turn);
      while ((await reader.take(1))[0]!.event !== "approval");
      const [{ uuid }] = await json(await test.call("GET", "/approvals"));
      const decide = (body: object) => test.call("POST", `/approvals/${uuid}`, body);
      const both = [decide({ decision: "approve", remember: EVERYWHERE }), decide(second)];
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      assert.deepEqual(statuses.toSorted(), [200, 409]);
      const isRemembered = statuses[0] === 200 || "remember" in second;
      const grants = await json(await test.call("GET", "/approval-grants"));
      assert.equal(grants.length, isRemembered ? 1 : 0);
    }
  });

  it("of which the turn's end is the first leaves no grant", async () => {
    await using harness = await harnessOf([[{ call: "create_value", args: {} }], ["done"]], {
      approvalConfig: null,
    });
    const { test } = harness;
    const turn = await startTurn(harness);
    await using reader = await openEvents(harness, turn);
    while ((await reader.take(1))[0]!.event !== "approval");
    const [{ uuid }] = await json(await test.call("GET", "/approvals"));
    const { $client } = test.deps.db;
    const batch = $client.batch.bind($client);
    const late = mock.method($client, "batch", async (...args: Parameters<typeof batch>) => {
      if (JSON.stringify(args).includes("INSERT INTO approval_grants")) {
        late.mock.restore();
        await json(await test.call("POST", `/turns/${turn.uuid}/cancel`), 202);
      }
      return batch(...args);
    });
    const body = { decision: "approve", remember: EVERYWHERE };
    await json(await test.call("POST", `/approvals/${uuid}`, body), 409);
    assert.deepEqual(await json(await test.call("GET", "/approval-grants")), []);
  });
});
