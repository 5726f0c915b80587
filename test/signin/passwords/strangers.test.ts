// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { repeats } from "../../support/repeats.ts";
import type { SigninWithUsers } from "../../support/signin/users.ts";
import {
  ask,
  createOwner,
  enter,
  HOUR_MS,
  isLong,
  type Purpose,
  stranger,
} from "./code-requests.ts";

describe("whatever strangers in up to 100 networks do", () => {
  const step = fc.record({
    networks: fc.integer({ min: 1, max: 100 }),
    does: fc.constantFrom("ask", "ask", "guess", "sign up"),
    purpose: fc.constantFrom<Purpose>("login", "reset", "signup"),
    waitSec: fc.constantFrom(0, 1, 61, 600, 3_600, 6 * 3_600, 13 * 3_600),
    ownerWants: fc.constantFrom<Purpose | undefined>(undefined, undefined, "login", "reset"),
    guessesMeanwhile: fc.integer({ min: 0, max: 12 }),
  });

  it("the owner gets in by mail, and they cause at most 30 mails in any 24 hours", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await using signin = await createOwner();
        const { clock } = signin.deps;
        const caused: number[] = [];
        for (const { networks, does, purpose, waitSec, ownerWants, guessesMeanwhile } of steps) {
          for (let at = 0; at < networks; at += 1) {
            const before = signin.mails.length;
            if (does === "guess")
              await enter(signin, purpose, "00000000", { address: stranger(at) });
            else await ask(signin, does === "sign up" ? "signup" : purpose, stranger(at));
            for (let mail = before; mail < signin.mails.length; mail += 1) caused.push(clock.now());
            if (at % 3 === 0) clock.advance(21_000);
          }
          if (ownerWants) await getIn(signin, ownerWants, guessesMeanwhile);
          clock.advance(waitSec * 1000);
        }
        for (const from of caused) {
          const inADay = caused.filter((at) => at >= from && at < from + 24 * HOUR_MS);
          assert.ok(inADay.length <= 30, `${inADay.length} mails`);
        }
      }),
      { numRuns: repeats({ once: 1, long: 100 }), endOnFailure: true },
    );
  });

  /**
   * Asks, and enters the newest code of this purpose in the mailbox; where it has ended, the newest long one. Where strangers
   * ended both meanwhile, once more.
   */
  async function getIn(signin: SigninWithUsers, purpose: Purpose, guesses: number): Promise<void> {
    const subject = purpose === "login" ? /sign-in|sign in/i : /password/i;
    // A day has room for four codes that five guesses end. The fifth one is long.
    for (let at = 0; at < 5; at += 1) {
      await ask(signin, purpose);
      const codes = signin.mails
        .filter((mail) => subject.test(mail.subject))
        .map(({ code = "" }) => code);
      for (let guess = 0; guess < guesses; guess += 1) {
        await enter(signin, purpose, "00000000", { address: stranger(100 - guess) });
      }
      for (const code of [codes.at(-1), codes.findLast(isLong)]) {
        if (code && (await enter(signin, purpose, code)).status === 200) return;
      }
    }
    assert.fail("The owner does not get in.");
  }
});
