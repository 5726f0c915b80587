// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { repeats } from "../../support/repeats.ts";
import { signInNative } from "../../support/signin/flows.ts";
import { createTestSignin } from "../../support/signin/signin.ts";

const GRACE_SEC = 60;
const IDLE_SEC = 5 * 86_400;
const ABSOLUTE_SEC = 8 * 86_400;
const DAYS = { SESSION_IDLE_DAYS: "5", SESSION_ABSOLUTE_DAYS: "8" };

/** What the rules say of a session, in a few lines: the model that the server is held to. */
class Model {
  newest = 0;
  rotatedAt = 0;
  isOver = false;

  /** What a refresh with this generation's token at this time answers. */
  refresh(generation: number, now: number): string {
    const isIdle = now >= this.rotatedAt + IDLE_SEC;
    if (this.isOver || isIdle || now >= ABSOLUTE_SEC) return "session_expired";
    if (generation === this.newest) {
      this.newest += 1;
      this.rotatedAt = now;
      return `generation ${this.newest}`;
    }
    const isRepeat = generation === this.newest - 1 && now - this.rotatedAt <= GRACE_SEC;
    if (isRepeat) return `generation ${this.newest}`;
    this.isOver = true;
    return "refresh_reused";
  }
}

const steps = fc.array(
  fc.record({
    back: fc.integer({ min: 0, max: 3 }),
    // Around the limits: at once, the grace, more, days.
    waitSec: fc.oneof(
      fc.constantFrom(0, 59, 60, 61, 600, IDLE_SEC - 1, IDLE_SEC),
      fc.integer({ min: 0, max: 200 }),
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

it("whatever the order of refreshes, waits and replays, a session does what the rules say", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      await using signin = await createTestSignin(DAYS);
      const model = new Model();
      let nowSec = 0;
      const tokens = [(await signInNative(signin)).refresh_token];
      for (const { back, waitSec } of script) {
        nowSec += waitSec;
        signin.deps.clock.advance(waitSec * 1000);
        const generation = Math.max(0, tokens.length - 1 - back);
        const body = { refresh_token: tokens[generation] };
        const response = await signin.call("POST", "/auth/refresh", { body });
        const answer = await response.json();
        const expected = model.refresh(generation, nowSec);
        if (response.status === 200) {
          tokens[model.newest] ??= answer.refresh_token;
          assert.equal(answer.refresh_token, tokens[model.newest]);
          assert.equal(expected, `generation ${model.newest}`);
        } else {
          assert.equal(answer.code, expected);
        }
      }
    }),
    { numRuns: repeats({ once: 6, long: 2_000 }) },
  );
});
