import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pageStatements } from "../../../engine/db/list-shape.ts";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { turnsOf } from "../../../engine/turns/store.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import type { ChatHarness } from "../../support/engine/chat.ts";
import { deletedRowsGone } from "../../support/engine/engine.ts";
import { chat, harnessOf, turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

/** Three turns of one thread, the second failed, then one of another thread. */
async function createHarness() {
  const steps = [["one"], [new ModelFailure("It broke.")], ["three"], ["four"]];
  const harness = await harnessOf(steps);
  for (const id of ["t1", "t2", "t3"]) await chat(harness, id);
  const { workspaceUuid, test } = harness;
  const other = (await json(await test.call("POST", "/threads", { workspaceUuid }))).uuid;
  await harness.socket.chat("t4", { content: "go", thread_uuid: other });
  const list = async (path: string): Promise<Turn[]> => json(await test.call("GET", path));
  return Object.assign(harness, { other, list });
}

describe("GET /turns", () => {
  it("lists the newest turns first, of a state and thread where it is asked for", async () => {
    await using harness = await createHarness();
    const { list, other, threadUuid } = harness;
    const [four, three, two, one] = (await list("/turns")).map(({ uuid }) => uuid);
    const uuids = async (query: string) => (await list(query)).map(({ uuid }) => uuid);
    assert.deepEqual(await uuids("/turns?limit=2"), [four, three]);
    assert.deepEqual(await uuids(`/turns?threadUuid=${threadUuid}`), [three, two, one]);
    assert.deepEqual(await uuids("/turns?state=failed"), [two]);
    assert.deepEqual(await uuids(`/turns?state=failed&threadUuid=${other}`), []);
    assert.deepEqual(await uuids(`/turns?state=completed&threadUuid=${threadUuid}`), [three, one]);
    assert.deepEqual(await uuids("/turns?threadUuid=none"), []);
    assert.deepEqual(await uuids(`/threads/${threadUuid}/turns`), [three, two, one]);
    assert.deepEqual(await uuids(`/threads/${threadUuid}/turns?state=failed`), [two]);
    assert.deepEqual(await uuids(`/threads/${threadUuid}/turns?limit=1`), [three]);
    assert.deepEqual(await uuids("/threads/none/turns"), []);
  });

  it("refuses a bad state or limit with 400 that names it", async () => {
    await using harness = await createHarness();
    const bad = ["limit=0", "limit=1001", "limit=x", "limit=", "limit=1.5", "state=done", "state="];
    for (const path of ["/turns", `/threads/${harness.threadUuid}/turns`]) {
      for (const query of bad) {
        const response = await harness.test.call("GET", `${path}?${query}`);
        assert.match((await json(response, 400)).details, new RegExp(`^${query.split("=")[0]}: `));
      }
    }
  });

  it("lists 50 where no limit is given", async () => {
    await using harness = await createHarness();
    await insertTurns(harness, 300);
    assert.equal((await harness.list("/turns")).length, 50);
    const all = await harness.list(`/threads/${harness.threadUuid}/turns`);
    assert.equal(all.length, 303);
    assert.equal(all[0]?.uuid, "more 300");
    assert.deepEqual(await harness.list("/turns?limit=1000&state=completed"), [
      ...all.filter(({ state }) => state === "completed").slice(0, 300),
      ...(await harness.list(`/turns?threadUuid=${harness.other}`)),
      ...all.filter(({ state }) => state === "completed").slice(300),
    ]);
  });

  it("lists all turns of a thread, in pages, in the order in which they began", async () => {
    await using harness = await createHarness();
    const known = await harness.list(`/threads/${harness.threadUuid}/turns`);
    await insertTurns(harness, 2_500);
    await chat(harness, "last");
    const all = await harness.list(`/threads/${harness.threadUuid}/turns`);
    // Its user message is the newest, and has a smaller id than the rows above.
    const last = all[2_500];
    const more = Array.from({ length: 2_500 }, (_, n) => `more ${2_500 - n}`);
    assert.deepEqual(
      all.map(({ uuid }) => uuid),
      [...more, last?.uuid, ...known.map(({ uuid }) => uuid)],
    );
    assert.deepEqual(all.slice(-known.length), known);
    assert.deepEqual([last?.source, last?.state], ["websocket", "completed"]);
  });

  it("reads no more of a thread for a page than the page", async () => {
    await using harness = await createHarness();
    const { shape } = turnsOf({ threadUuid: "t" });
    const { items } = pageStatements(shape, true);
    const sql = `EXPLAIN QUERY PLAN ${items.replaceAll(/:\w+/g, "NULL")}`;
    const { rows } = await harness.test.deps.db.$client.execute(sql);
    const plan = rows.map(({ detail }) => String(detail));
    assert.ok(
      plan.includes("SEARCH turns USING INDEX turns_thread (thread_id=? AND rowid<?)"),
      plan.join("\n"),
    );
  });
});

/** Turns of the first thread that began later than all others, without messages. */
async function insertTurns({ test }: ChatHarness, count: number): Promise<void> {
  await test.deps.db.$client.execute(
    `INSERT INTO turns (id, uuid, thread_id, source, state, user_message_uuid, model, started_at)
     WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
     SELECT 1000 + n, 'more ' || n, 1, 'http', 'completed', 'm', 'echo', '2026-01-01T00:00:00.000Z' FROM number`,
  );
}

describe("the turns of a thread that is deleted", () => {
  for (const what of ["thread", "workspace"]) {
    it(`with its ${what} are gone at once, and their rows follow`, async () => {
      await using harness = await createHarness();
      const { test, threadUuid, workspaceUuid, list } = harness;
      const uuid = (await list(`/threads/${threadUuid}/turns`))[0]!.uuid;
      assert.equal((await turnOf(test, uuid)).uuid, uuid);
      const path = what === "thread" ? `/threads/${threadUuid}` : `/workspaces/${workspaceUuid}`;
      assert.equal((await test.call("DELETE", path)).status, 204);
      assert.equal((await test.call("GET", `/turns/${uuid}`)).status, 404);
      assert.deepEqual(await list(`/threads/${threadUuid}/turns`), []);
      const left = what === "thread" ? 1 : 0;
      assert.equal((await list("/turns")).length, left);
      await deletedRowsGone(test.deps.db);
      const { rows } = await test.deps.db.$client.execute("SELECT count(*) AS count FROM turns");
      assert.equal(rows[0]?.count, left);
    });
  }
});

describe("GET /turns/{uuid}", () => {
  it("is 404 for an unknown one", async () => {
    await using harness = await createHarness();
    const response = await harness.test.call("GET", "/turns/none");
    assert.deepEqual(await json(response, 404), { error: "Turn not found." });
  });
});
