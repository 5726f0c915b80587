import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { TurnEvents } from "../../../engine/turns/turn-events.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import { type EventReader, readEvents, type StreamedEvent } from "../../support/engine/events.ts";
import { textOf } from "../../support/engine/turns.ts";
import { TestClock } from "../../support/time.ts";

const RUNS = 300;
const READERS = 3;
const BOUNDS = { eventsMax: 6, bytesMax: 900 };

/** What a client keeps of a turn. */
interface Client {
  reader: EventReader | undefined;
  lastId: string | undefined;
  text: string;
  hasEnd: boolean;
}

const who = fc.nat({ max: READERS - 1 });
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("delta" as const),
      text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("other" as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("tick" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("attach" as const),
      who,
      forgets: fc.constantFrom("nothing", "nothing", "all", "the id"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("read" as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("drop" as const), who }) },
);

function take(client: Client, events: readonly StreamedEvent[]): void {
  client.text = textOf(events, client.text);
  client.lastId = events.at(-1)?.id ?? client.lastId;
  client.hasEnd ||= events.some(({ event }) => event === "end");
}

function attach(client: Client, events: TurnEvents): void {
  client.reader = readEvents(events.open(client.lastId)!);
}

async function drop(client: Client): Promise<void> {
  await client.reader?.[Symbol.asyncDispose]();
  client.reader = undefined;
}

const DELTA = { thread_uuid: "t", type: "model.delta", node_id: "model" } as const;
const RUNNING = {
  toolCallId: "c",
  toolName: "read_value",
  operation: "read",
  state: "running",
  durationMs: null,
} as const;

it("readers attach, drop and resume at random and have exactly the text of the turn in the end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 20 }),
      fc.array(action, { maxLength: 80, size: "max" }),
      async (before, actions) => {
        const events = new TurnEvents(new TestClock(), before, BOUNDS);
        const clients = Array.from(
          { length: READERS },
          (): Client => ({ reader: undefined, lastId: undefined, text: "", hasEnd: false }),
        );
        let text = before;
        for (const next of actions) {
          switch (next.do) {
            case "delta":
              text += next.text;
              events.appendActivity({ ...DELTA, delta: next.text }, next.text);
              break;
            case "other":
              events.append("tool", RUNNING);
              break;
            case "tick":
              await new Promise(setImmediate);
              break;
            case "attach": {
              const client = clients[next.who]!;
              await drop(client);
              if (next.forgets === "the id") client.lastId = "nonsense";
              if (next.forgets === "all") Object.assign(client, { lastId: undefined, text: "" });
              attach(client, events);
              break;
            }
            case "read": {
              const client = clients[next.who]!;
              // Only what is there: a read of nothing would wait for what comes later.
              if (client.reader) {
                const read = client.reader.next();
                const none = new Promise<undefined>((resolve) =>
                  setImmediate(() => setImmediate(resolve, undefined)),
                );
                const found = await Promise.race([read, none]);
                if (found) take(client, found);
                else void read.then((late) => take(client, late));
              }
              break;
            }
            case "drop":
              await drop(clients[next.who]!);
          }
        }
        events.end({ state: "completed" } as Turn);
        for (const client of clients) {
          if (client.reader) take(client, await client.reader.rest());
          while (!client.hasEnd) {
            attach(client, events);
            take(client, await client.reader!.rest());
          }
          assert.equal(client.text, text);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
