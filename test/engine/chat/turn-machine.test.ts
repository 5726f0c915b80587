// Slow: it takes seconds of the processor; the fast run leaves it out.
import { describe, it } from "node:test";
import fc from "fast-check";
import { repeats } from "../../support/repeats.ts";
import { type Action, TurnMachine } from "./turn-machine.ts";

const RUNS = repeats({ once: 10, long: 3_000 });

const connection = fc.nat({ max: 2 });
const which = fc.constantFrom(0, 0, 0, 0, 1, 2, 5);
const from = fc.constantFrom("asked" as const, "asked" as const, "asked" as const, 0, 1, 2);

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      connection,
      target: fc.constantFrom(
        "thread",
        "thread",
        "thread",
        "workspace",
        "workspace",
        "unknown",
        "invalid",
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      connection,
      turn: fc.constantFrom(0, 0, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disconnect" as const), connection }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("approval" as const),
      from,
      which,
      decision: fc.constantFrom("approve", "approve", "Approve", "deny", ""),
      names: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("result" as const),
      from,
      which,
      ok: fc.boolean(),
      names: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("frame" as const),
      connection,
      text: fc.constantFrom(
        '{"type":"ping"}',
        '{"type":"what"}',
        "garbage",
        '{"type":"chat.cancel"}',
      ),
    }),
  },
  { weight: 24, arbitrary: fc.record({ do: fc.constant("release" as const), which }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ticks: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("microtasks" as const), count: fc.nat({ max: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1_000, 60_000) }),
  },
);

describe("the turn machine", () => {
  it("holds in any order of events: one turn a connection, one end a turn, nothing left", async () => {
    const actions = fc.array(action, { minLength: 40, maxLength: 160, size: "max" });
    const tape = fc.array(fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9), {
      minLength: 10,
      maxLength: 60,
      size: "max",
    });
    await fc.assert(
      fc.asyncProperty(actions, tape, async (given, choices) => {
        await using machine = new TurnMachine(choices);
        await machine.open();
        for (const next of given) await machine.act(next);
        await machine.idle();
      }),
      { numRuns: RUNS },
    );
  });
});
