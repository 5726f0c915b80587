import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clientOf } from "../../../engine/client/client.ts";
import { changeEvents } from "../../../engine/events/change.ts";
import {
  createAnsweredClient,
  createTestClient,
  createTestEngine,
} from "../../support/engine/engine.ts";

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

  it("have every type of the document", async () => {
    const types = Object.keys(changeEvents).filter((type) => type !== "resync");
    const { client } = answeredInTurn([
      () => new Response(types.map((type) => eventOf(type, type, {})).join("")),
    ]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of client.changes()) seen.push(type);
    })();
    await assert.rejects(reading, { status: 403 });
    assert.deepEqual(seen, types);
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

  it("are let go where the endpoint says so, and resume where it allows them again", async () => {
    const hiding = new AbortController();
    const signals = [hiding.signal, new AbortController().signal];
    const shown = Promise.withResolvers<void>();
    const asked: string[] = [];
    const endpoint = {
      current: () => ({ baseUrl: "http://127.0.0.1/api/v1", token: "t" }),
      streaming: async () => {
        if (signals.length === 1) await shown.promise;
        return signals.shift()!;
      },
    };
    const client = clientOf(endpoint, {
      fetch: async (input) => {
        asked.push(new URL(String(input)).search);
        const event = eventOf(`b-${asked.length}`, "later.added", {});
        // It stays open.
        return new Response(
          new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode(event)) }),
        );
      },
    });
    const changes = client.changes();
    await changes.next();
    const next = changes.next();
    hiding.abort();
    await new Promise(setImmediate);
    assert.deepEqual(asked, [""]);
    shown.resolve();
    assert.equal((await next).done, false);
    assert.deepEqual(asked, ["", "?after=b-1"]);
    await client[Symbol.asyncDispose]();
  });

  it("end with the client", async () => {
    await using test = await createTestEngine();
    const { client } = createTestClient(test);
    const next = client.changes().next();
    await client[Symbol.asyncDispose]();
    assert.deepEqual(await next, { done: true, value: undefined });
  });
});
