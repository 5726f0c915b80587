import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHANGES_KEPT_MAX, CHANGES_READERS_MAX } from "../../../engine/limits.ts";
import { createTestEngine, openChanges, type TestEngine } from "../../support/engine/engine.ts";
import { json } from "../../support/http.ts";

async function createWorkspaces(test: TestEngine, count: number): Promise<string[]> {
  const uuids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    uuids.push((await json(await test.call("POST", "/workspaces", { name: "n" }))).uuid);
  }
  return uuids;
}

const created = (uuids: string[]) =>
  uuids.map((workspaceUuid) => ({ event: "workspace.created", data: { workspaceUuid } }));

const withoutIds = (events: { event: string; data: unknown }[]) =>
  events.map(({ event, data }) => ({ event, data }));

describe("GET /changes", () => {
  it("carries ids that rise, from now on", async () => {
    await using test = await createTestEngine();
    await createWorkspaces(test, 2);
    await using changes = await openChanges(test);
    assert.equal(changes.headers.get("content-type"), "text/event-stream");
    assert.equal(changes.headers.get("cache-control"), "no-cache");
    const uuids = await createWorkspaces(test, 2);
    const events = await changes.take(2);
    assert.deepEqual(withoutIds(events), created(uuids));
    const [boot] = events[0]!.id.split("-");
    assert.deepEqual(
      events.map(({ id }) => id),
      [`${boot}-3`, `${boot}-4`],
    );
    assert.equal(changes.headers.get("last-event-id"), `${boot}-2`);
  });

  it("goes on after the event that a reader has, by header or query; the header wins", async () => {
    await using test = await createTestEngine();
    await using changes = await openChanges(test);
    const uuids = await createWorkspaces(test, 3);
    const [first, second] = await changes.take(3);
    const resumed: [Record<string, string>, string][] = [
      [{ "Last-Event-ID": first!.id }, ""],
      [{}, `?after=${first!.id}`],
      [{ "Last-Event-ID": "" }, `?after=${first!.id}`],
      [{ "Last-Event-ID": first!.id }, `?after=${second!.id}`],
    ];
    for (const [headers, query] of resumed) {
      await using again = await openChanges(test, query, headers);
      assert.deepEqual(withoutIds(await again.take(2)), created(uuids.slice(1)));
    }
  });

  it("begins with resync and an empty data line where an id makes no sense, then goes on", async () => {
    await using test = await createTestEngine();
    const boot = (await readBoot(test)) ?? "";
    const ids = ["", "x", "0", "-1", "0-0", `${boot}-1`, `${boot}--1`, `${boot}-`, `${boot}-0x0`];
    const long = ["9".repeat(400), `${boot}-${"9".repeat(400)}`, "ä", "\u0000", "%"];
    for (const id of [...ids, ...long]) {
      await using changes = await openChanges(test, `?after=${encodeURIComponent(id)}`);
      const [resync] = await changes.take(1);
      assert.deepEqual(resync, { id: `${boot}-0`, event: "resync", data: "" }, id);
    }
    await using changes = await openChanges(test, "?after=x");
    const uuids = await createWorkspaces(test, 1);
    assert.deepEqual(withoutIds(await changes.take(2)).slice(1), created(uuids));
  });

  it("begins with resync where events after the id are not kept any more", async () => {
    await using test = await createTestEngine();
    const boot = await readBoot(test);
    const data = { workspaceUuid: "w" };
    for (let at = 0; at <= CHANGES_KEPT_MAX; at += 1) {
      test.deps.changes.publish({ type: "workspace.deleted", data });
    }
    await new Promise(setImmediate);
    await using lost = await openChanges(test, `?after=${boot}-0`);
    const [resync] = await lost.take(1);
    assert.deepEqual(resync, { id: `${boot}-${CHANGES_KEPT_MAX + 1}`, event: "resync", data: "" });
    await using kept = await openChanges(test, `?after=${boot}-1`);
    assert.equal((await kept.take(CHANGES_KEPT_MAX)).length, CHANGES_KEPT_MAX);
  });

  it("ids of another process make no sense", async () => {
    await using one = await createTestEngine();
    await using other = await createTestEngine();
    assert.notEqual(await readBoot(one), await readBoot(other));
  });

  it("refuses a reader too many with 429, until one has gone", async () => {
    await using test = await createTestEngine();
    const readers = await Promise.all(
      Array.from({ length: CHANGES_READERS_MAX }, () => openChanges(test)),
    );
    const refused = await test.call("GET", "/changes");
    assert.match((await json(refused, 429)).error, /^Too many clients read changes/);
    for (const reader of readers) await reader[Symbol.asyncDispose]();
    await using again = await openChanges(test);
    assert.equal(again.headers.get("content-type"), "text/event-stream");
  });

  it("ends when the engine stops", async () => {
    await using test = await createTestEngine();
    await using changes = await openChanges(test);
    await test.engine.close();
    assert.deepEqual(await changes.rest(), []);
  });
});

async function readBoot(test: TestEngine): Promise<string | undefined> {
  await using changes = await openChanges(test);
  return changes.headers.get("last-event-id")?.split("-")[0];
}
