// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import fc from "fast-check";
import {
  type ApprovalRequest,
  type ChatEvent,
  EngineNotRunning,
  TurnFailed,
} from "../../../../engine/client/client.ts";
import { createAnsweredClient, createTestClient } from "../../../support/engine/engine.ts";
import { harnessOf } from "../../../support/engine/turns.ts";

/** Ends a body after this many bytes, as a lost connection does. */
function cutAfter(response: Response, count: number): Response {
  let left = count;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.slice(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new TypeError("terminated"));
    },
  });
  return new Response(response.body?.pipeThrough(cut), response);
}

/** What a reader of events shows, who replaces the text at a snapshot. */
function shownOf(events: readonly ChatEvent[]): string {
  return events.reduce((text, event) => {
    if (event.type === "snapshot") return event.text;
    return event.type === "text" ? text + event.delta : text;
  }, "");
}

it("a turn whose connection is lost anywhere, any number of times, has exactly its text", async () => {
  const pieces = ["a", "b\n", "ç", "🦊", "end"];
  await using harness = await harnessOf([]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 4 }), async (cuts) => {
      harness.model.add(pieces);
      const left = [...cuts];
      const { client } = createTestClient(harness.test, (response, path) => {
        const count = path.endsWith("/events") ? left.shift() : undefined;
        return count === undefined ? response : cutAfter(response, count);
      });
      const turn = client.chat({ threadUuid: harness.threadUuid, content: "go" });
      const events = await Array.fromAsync(turn);
      assert.equal(shownOf(events), pieces.join(""));
      assert.equal((await turn).text, pieces.join(""));
    }),
    { numRuns: 15 },
  );
});

const TURN = { uuid: "t", threadUuid: "h", state: "completed", error: null, partialText: null };
const eventOf = (id: number, event: string, data: object) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const END = eventOf(99, "end", TURN);

/** A client of an engine that gives these streams of events in turn, and these approvals. */
function streamedClient(streams: readonly (() => Response)[], approvals: readonly object[] = []) {
  const asked: string[] = [];
  const decided: string[] = [];
  const client = createAnsweredClient(async (request) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.endsWith("/turns")) return Response.json(TURN, { status: 202 });
    if (pathname.endsWith("/approvals")) return Response.json(approvals);
    if (request.method === "POST") {
      decided.push(`${pathname} ${await request.text()}`);
      return Response.json({});
    }
    asked.push(search);
    return streams[asked.length - 1]?.() ?? new Response(null, { status: 404 });
  });
  return { client, asked, decided };
}

const failing = () => {
  throw new TypeError("fetch failed");
};
const INPUT = { threadUuid: "h", content: "go" };

describe("a turn whose connection was lost", () => {
  it("is resumed after the last event, also past failures", async () => {
    const { client, asked } = streamedClient([
      () => new Response(eventOf(2, "model.delta", { delta: "Hel" })),
      failing,
      () => new Response(null, { status: 502 }),
      () => new Response(eventOf(3, "model.delta", { delta: "lo" }) + END),
    ]);
    assert.equal((await client.chat(INPUT)).text, "Hello");
    assert.deepEqual(asked, ["?after=0", "?after=2", "?after=2", "?after=2"]);
  });

  it("gives what a snapshot adds as text, one that differs as a snapshot, and none that is shorter", async () => {
    const { client } = streamedClient([
      () => new Response(eventOf(2, "model.delta", { delta: "Hel" })),
      () => new Response(eventOf(7, "snapshot", { text: "Hello", state: "running" })),
      () => new Response(eventOf(8, "snapshot", { text: "Help", state: "running" })),
      () => new Response(eventOf(9, "snapshot", { text: "Hullo!", state: "completed" }) + END),
    ]);
    const turn = client.chat(INPUT);
    const events = (await Array.fromAsync(turn)).slice(1, -1);
    assert.deepEqual(
      events.filter(({ type }) => type !== "reconnecting"),
      [
        { type: "text", delta: "Hel" },
        { type: "text", delta: "lo" },
        { type: "snapshot", text: "Hullo!" },
      ],
    );
    assert.equal((await turn).text, "Hullo!");
  });

  it("tells each attempt to reach the engine, and since when it is away", async () => {
    const { client } = streamedClient([
      () => new Response(eventOf(2, "model.delta", { delta: "Hel" })),
      failing,
      () => new Response(eventOf(3, "model.delta", { delta: "lo" })),
      () => new Response(END),
    ]);
    const events = await Array.fromAsync(client.chat(INPUT));
    const away = events.flatMap((event) => (event.type === "reconnecting" ? [event] : []));
    assert.deepEqual(
      away.map(({ attempt }) => attempt),
      [1, 2, 1],
    );
    assert.equal(away[0]!.since, away[1]!.since);
    assert.match(away[0]!.since, /^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it("keeps what was delivered if a kill left a shorter record", async () => {
    const ended = { ...TURN, state: "interrupted", partialText: "He" };
    const { client } = streamedClient([
      () => new Response(eventOf(2, "model.delta", { delta: "Hello" })),
      () =>
        new Response(
          eventOf(1, "snapshot", { text: "He", state: "interrupted" }) + eventOf(2, "end", ended),
        ),
    ]);
    const turn = client.chat(INPUT);
    assert.equal(shownOf(await Array.fromAsync(turn)), "Hello");
    await assert.rejects(turn, { name: "TurnFailed", partialText: "Hello", turnUuid: "t" });
  });

  it("answers the approvals that it missed, and those of its own alone", async () => {
    const approval = { uuid: "a", turnUuid: "t", state: "waiting" };
    const other = { uuid: "b", turnUuid: "another", state: "waiting" };
    const body = new TransformStream<string, string>();
    const writer = body.writable.getWriter();
    void writer.write(eventOf(5, "snapshot", { text: "", state: "waiting" }));
    const { client, decided } = streamedClient(
      [() => new Response(body.readable.pipeThrough(new TextEncoderStream()))],
      [approval, other],
    );
    const seen: ChatEvent[] = [];
    const onApproval = ({ uuid }: ApprovalRequest) => uuid === "a";
    for await (const event of client.chat(INPUT, { onApproval })) {
      seen.push(event);
      if (event.type === "approval") void writer.write(END);
    }
    assert.deepEqual(seen[1], { type: "approval", ...approval });
    assert.deepEqual(decided, ['/api/v1/approvals/a {"decision":"approve"}']);
  });

  it("rejects where the engine does not know it any more", async () => {
    const { client } = streamedClient([]);
    await assert.rejects(client.chat(INPUT), { name: "EngineError", status: 404 });
  });

  it("rejects with what came where no engine answers for 30 s", async () => {
    mock.timers.enable({ apis: ["Date"] });
    const { client } = streamedClient([
      () => new Response(eventOf(2, "model.delta", { delta: "Hel" })),
      failing,
      () => {
        mock.timers.tick(30_001);
        return failing();
      },
    ]);
    const failure = await client.chat(INPUT).then(
      () => undefined,
      (error: unknown) => error,
    );
    mock.timers.reset();
    assert.ok(failure instanceof TurnFailed && failure.cause instanceof EngineNotRunning);
    assert.deepEqual([failure.partialText, failure.turnUuid], ["Hel", "t"]);
  });

  it("is opened again where the stream is silent for 45 s, comments counted", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    const opened = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const silent = new ReadableStream<Uint8Array>({ start: (stream) => opened.resolve(stream) });
    const read = Promise.withResolvers<void>();
    const { client, asked } = streamedClient([
      () => {
        read.resolve();
        return new Response(silent);
      },
      () => new Response(END),
    ]);
    const turn = client.chat(INPUT);
    const stream = await opened.promise;
    await read.promise;
    mock.timers.tick(44_000);
    stream.enqueue(new TextEncoder().encode(":\n\n"));
    await new Promise(setImmediate);
    mock.timers.tick(31_000);
    await new Promise(setImmediate);
    assert.equal(asked.length, 1);
    mock.timers.tick(15_000);
    await turn;
    assert.equal(asked.length, 2);
    mock.timers.reset();
  });
});
