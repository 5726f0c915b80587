// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { repeats } from "../../support/repeats.ts";
import { createFactorSignin, type FactorAccount } from "../../support/signin/second-factor.ts";

const RUNS = repeats({ once: 4, long: 200 });
const STEP_SEC = 30;
const HOUR_SEC = 3600;

/** A count of an hour, which begins with the first guess after the one before has ended. */
class HourCount {
  since = Number.NEGATIVE_INFINITY;
  count = 0;

  /** Whether there is room for a guess, which counts. */
  take(now: number): boolean {
    if (this.since <= now - HOUR_SEC) Object.assign(this, { since: now, count: 0 });
    if (this.count >= 10) return false;
    this.count += 1;
    return true;
  }
}

/** What the rules say of a second factor, in a few lines: the model that the server is held to. */
class Model {
  lastStep: number;
  recovery = new Set(Array.from({ length: 10 }, (_, at) => at));
  codes = new HourCount();
  recoveries = new HourCount();
  wrongInARow = 0;

  constructor(lastStep: number) {
    this.lastStep = lastStep;
  }

  /** `step`: that of the code, undefined for a code of no step. */
  enterCode(step: number | undefined, now: number): string {
    if (this.wrongInARow >= 100) return "second_factor_rejected";
    if (!this.codes.take(now)) return "rate_limited";
    const present = Math.floor(now / STEP_SEC);
    this.wrongInARow += 1;
    if (step === undefined || Math.abs(step - present) > 1 || step <= this.lastStep) {
      return "second_factor_rejected";
    }
    this.codes.count -= 1;
    this.wrongInARow = 0;
    this.lastStep = step;
    return "in";
  }

  enterRecovery(at: number, now: number): string {
    if (!this.recoveries.take(now)) return "rate_limited";
    if (!this.recovery.delete(at)) return "second_factor_rejected";
    this.recoveries.count -= 1;
    this.wrongInARow = 0;
    return "in";
  }
}

const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("code"), by: fc.integer({ min: -3, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("wrong"), by: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("recovery"), by: fc.integer({ min: 0, max: 11 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("many"), by: fc.integer({ min: 90, max: 100 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wait"),
      by: fc.constantFrom(1, 29, 30, 31, 60, 90, HOUR_SEC - 1, HOUR_SEC),
    }),
  },
);

/** One attempt, in the real server and in the model; the two must agree. */
async function attempt(
  account: FactorAccount,
  model: Model,
  { kind, by, now }: { kind: string; by: number; now: number },
): Promise<void> {
  const present = Math.floor(now / STEP_SEC);
  const none = "ZZZZ-ZZZZ-ZZZZ-ZZZZ";
  // Now and then two steps have the same code.
  const near = [-3, -2, -1, 0, 1, 2, 3].map(account.code);
  fc.pre(new Set(near).size === near.length);
  const [given, expected] =
    kind === "code"
      ? [account.code(by), model.enterCode(present + by, now)]
      : kind === "recovery"
        ? [account.recoveryCodes[by] ?? none, model.enterRecovery(by, now)]
        : [account.wrong(), model.enterCode(undefined, now)];
  const { status, body } = await account.logIn(given);
  assert.equal(status === 200 ? "in" : body.code, expected, `${kind} ${by} at ${now}`);
}

it("whatever the order of codes, recovery codes, wrong ones and waits, the second factor does what the rules say", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 30 }), async (script) => {
      await using signin = await createFactorSignin();
      const { clock } = signin.deps;
      const now = () => clock.now() / 1000;
      const account = await signin.openFactorAccount();
      const model = new Model(Math.floor(now() / STEP_SEC));
      for (const { kind, by } of script) {
        if (kind === "wait") clock.advance(by * 1000);
        else if (kind === "many") {
          // As if so many wrong ones had come in the hours before.
          model.wrongInARow = by;
          await signin.rows(`UPDATE second_factors SET wrong_in_a_row = ${by}`);
        } else if (kind === "wrong") {
          for (let at = 0; at < by; at += 1) {
            await attempt(account, model, { kind, by, now: now() });
          }
        } else await attempt(account, model, { kind, by, now: now() });
      }
      const [row] = await signin.rows(
        "SELECT last_step, wrong_in_a_row, (SELECT count(*) FROM recovery_codes) AS recovery FROM second_factors",
      );
      assert.deepEqual(row, {
        last_step: model.lastStep,
        wrong_in_a_row: model.wrongInARow,
        recovery: model.recovery.size,
      });
    }),
    { numRuns: RUNS },
  );
});
