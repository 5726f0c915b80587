import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAnsweredClient, createTestClient } from "../../support/engine/client.ts";
import { createTestEngine } from "../../support/engine/engine.ts";

/** A client whose requests get these answers in turn, and the paths that it asked for. */
function answeredInTurn(answers: readonly (() => Response)[]) {
  const asked: string[] = [];
  const client = createAnsweredClient((request) => {
    asked.push(new URL(request.url).search);
    const answer = answers[asked.length - 1];
    return answer ? answer() : new Response(null, { status: 403 });
  });
  return { client, asked };
}

const eventOf = (id: string, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

describe("changes", () => {
  it("have a type and data", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const stop = new AbortController();
    const changes = client.changes({ signal: stop.signal });
    const first = changes.next();
    await client.workspaces.list();
    const { uuid } = await client.workspaces.create({ name: "W" });
    const { value } = await first;
    assert.deepEqual(value, { type: "workspace.created", data: { workspaceUuid: uuid } });
    stop.abort();
    assert.deepEqual(await changes.next(), { done: true, value: undefined });
  });

  it("resume after the last one where the stream ends", async () => {
    const { client, asked } = answeredInTurn([
      () => new Response(eventOf("b-1", "turn.updated", { turnUuid: "t" })),
      () => Response.json({ error: "Busy." }, { status: 429 }),
      () => new Response(eventOf("b-2", "later.added", {})),
    ]);
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const change of client.changes()) seen.push(change);
    })();
    await assert.rejects(reading, { status: 403 });
    assert.deepEqual(seen, [
      { type: "turn.updated", data: { turnUuid: "t" } },
      { type: "other", event: "later.added", data: {} },
    ]);
    assert.deepEqual(asked, ["", "?after=b-1", "?after=b-1", "?after=b-2"]);
  });

  it("resume after the id that the stream began with", async () => {
    const headers = { "Last-Event-ID": "b-7" };
    const { client, asked } = answeredInTurn([() => new Response("", { headers })]);
    await assert.rejects(Array.fromAsync(client.changes()), { status: 403 });
    assert.deepEqual(asked, ["", "?after=b-7"]);
  });

  it("say resync after a gap, and where none can be excluded", async () => {
    const { client } = answeredInTurn([
      () => new Response(": no id\n\n"),
      () => new Response("id: b-4\nevent: resync\ndata:\n\n"),
    ]);
    const changes = client.changes();
    assert.deepEqual(await changes.next(), { done: false, value: { type: "resync" } });
    assert.deepEqual(await changes.next(), { done: false, value: { type: "resync" } });
    await assert.rejects(changes.next(), { status: 403 });
  });

  it("end with the client", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const next = client.changes().next();
    await client[Symbol.asyncDispose]();
    assert.deepEqual(await next, { done: true, value: undefined });
  });
});
