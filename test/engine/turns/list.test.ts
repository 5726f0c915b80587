import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pageStatements } from "../../../engine/db/list-shape.ts";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { turnsOf } from "../../../engine/turns/store.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import type { ChatWorld } from "../../support/engine/chat.ts";
import { deletedRowsGone } from "../../support/engine/deleted.ts";
import { chat, worldOf } from "../../support/engine/tool-turns.ts";
import { turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/json.ts";

/** Three turns of one thread, the second failed, then one of another thread. */
async function createWorld() {
  const steps = [["one"], [new ModelFailure("It broke.")], ["three"], ["four"]];
  const world = await worldOf(steps);
  for (const id of ["t1", "t2", "t3"]) await chat(world, id);
  const { workspaceUuid, test } = world;
  const other = (await json(await test.call("POST", "/threads", { workspaceUuid }))).uuid;
  await world.socket.chat("t4", { content: "go", thread_uuid: other });
  const list = async (path: string): Promise<Turn[]> => json(await test.call("GET", path));
  return Object.assign(world, { other, list });
}

describe("GET /turns", () => {
  it("lists the newest turns first, of a state and thread where it is asked for", async () => {
    await using world = await createWorld();
    const { list, other, threadUuid } = world;
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
    await using world = await createWorld();
    const bad = ["limit=0", "limit=1001", "limit=x", "limit=", "limit=1.5", "state=done", "state="];
    for (const path of ["/turns", `/threads/${world.threadUuid}/turns`]) {
      for (const query of bad) {
        const response = await world.test.call("GET", `${path}?${query}`);
        assert.match((await json(response, 400)).details, new RegExp(`^${query.split("=")[0]}: `));
      }
    }
  });

  it("lists 50 where no limit is given", async () => {
    await using world = await createWorld();
    await insertTurns(world, 300);
    assert.equal((await world.list("/turns")).length, 50);
    const all = await world.list(`/threads/${world.threadUuid}/turns`);
    assert.equal(all.length, 303);
    assert.equal(all[0]?.uuid, "more 300");
    assert.deepEqual(await world.list("/turns?limit=1000&state=completed"), [
      ...all.filter(({ state }) => state === "completed").slice(0, 300),
      ...(await world.list(`/turns?threadUuid=${world.other}`)),
      ...all.filter(({ state }) => state === "completed").slice(300),
    ]);
  });

  it("lists all turns of a thread, in pages, with those that no table has yet", async () => {
    await using world = await createWorld();
    const known = await world.list(`/threads/${world.threadUuid}/turns`);
    await insertTurns(world, 2_500);
    await chat(world, "last");
    const all = await world.list(`/threads/${world.threadUuid}/turns`);
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
    await using world = await createWorld();
    const { shape } = turnsOf({ live: [], findLive: () => undefined }, { threadUuid: "t" });
    const { items } = pageStatements(shape, true);
    const sql = `EXPLAIN QUERY PLAN ${items.replaceAll(/:\w+/g, "NULL")}`;
    const { rows } = await world.test.deps.db.$client.execute(sql);
    const plan = rows.map(({ detail }) => String(detail));
    assert.ok(
      plan.includes("SEARCH turns USING INDEX turns_thread (thread_id=? AND rowid<?)"),
      plan.join("\n"),
    );
  });
});

/** Turns of the first thread that began later than all others, without messages. */
async function insertTurns({ test }: ChatWorld, count: number): Promise<void> {
  await test.deps.db.$client.execute(
    `INSERT INTO turns (id, uuid, thread_id, source, state, user_message_uuid, model, started_at)
     WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
     SELECT 1000 + n, 'more ' || n, 1, 'http', 'completed', 'm', 'echo', '2026-01-01T00:00:00.000Z' FROM number`,
  );
}

describe("the turns of a thread that is deleted", () => {
  for (const what of ["thread", "workspace"]) {
    it(`with its ${what} are gone at once, and their rows follow`, async () => {
      await using world = await createWorld();
      const { test, threadUuid, workspaceUuid, list } = world;
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
    await using world = await createWorld();
    const response = await world.test.call("GET", "/turns/none");
    assert.deepEqual(await json(response, 404), { error: "Turn not found." });
  });
});
