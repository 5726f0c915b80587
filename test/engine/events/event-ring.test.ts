import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { EventRing } from "../../../engine/events/event-ring.ts";

const EVENTS_MAX = 4;
const BYTES_MAX = 20;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ append: fc.string({ unit: "grapheme", maxLength: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ trim: fc.integer({ min: 0, max: 30 }) }) },
);

/** What is left of numbered texts once the oldest ones are forgotten. */
function trimmed(kept: [number, string][], needed: number): [number, string][] {
  const bytesFrom = (at: number) =>
    Buffer.byteLength(
      kept
        .map(([, text]) => text)
        .slice(at)
        .join(""),
    );
  const begin = kept.findIndex(
    ([number], at) =>
      kept.length - at <= EVENTS_MAX && number >= needed && bytesFrom(at) <= BYTES_MAX,
  );
  return begin < 0 ? [] : kept.slice(begin);
}

it("keeps the newest events within its bounds, under their numbers", () => {
  const steps = fc.array(step, { maxLength: 60 });
  const read = fc.record({ from: fc.nat(40), length: fc.nat(12) });
  fc.assert(
    fc.property(steps, read, (taken, { from, length }) => {
      const ring = new EventRing({ eventsMax: EVENTS_MAX, bytesMax: BYTES_MAX });
      let kept: [number, string][] = [];
      for (const one of taken) {
        if ("append" in one) {
          ring.append(one.append);
          kept.push([ring.last, one.append]);
        } else {
          ring.trim(one.trim);
          kept = trimmed(kept, one.trim);
        }
        assert.equal(ring.first, ring.last - kept.length + 1);
      }
      const asked = kept.filter(([number]) => number >= from);
      const all = ring.read(from, ring.last + 1, Number.POSITIVE_INFINITY);
      assert.equal(all.text, asked.map(([, text]) => text).join(""));
      const some = ring.read(from, ring.last + 1, length);
      assert.ok(all.text.startsWith(some.text));
      const rest = ring.read(some.next, ring.last + 1, Number.POSITIVE_INFINITY);
      assert.equal(some.text + rest.text, all.text);
    }),
    { numRuns: 1_000 },
  );
});
