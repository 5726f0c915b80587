// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RATE_LIMITS } from "../../../signin/limits.ts";
import { decideAsk, decideBudget } from "../../../signin/passwords/code-economy.ts";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";
const OWNER = "192.0.2.10";
const STRANGERS = ["198.51.100.1", "198.51.100.2", "203.0.114.1", "2001:db8:1::1", "2001:db8:2::1"];

const ASKS: [within: string, decision: string][] = [
  ["client minute share repeats everywhere", "mail"],
  ["client minute share everywhere", "mail"],
  ["client minute repeats everywhere", "mail"],
  ["client minute everywhere", "none"],
  ["client share everywhere", "join"],
  ["client share repeats everywhere", "join"],
  ["client everywhere", "none"],
  ["client minute share repeats", "none"],
  ["minute share repeats everywhere", "none"],
];

describe("the economy of codes", () => {
  for (const [within, decision] of ASKS) {
    it(`answers a request within the limits "${within}" with ${decision}`, () => {
      const is = (name: string) => within.split(" ").includes(name);
      const limits = {
        client: is("client"),
        minute: is("minute"),
        share: is("share"),
        repeats: is("repeats"),
        everywhere: is("everywhere"),
      };
      assert.equal(decideAsk(limits), decision);
    });
  }

  it("counts a guess where it belongs", () => {
    assert.equal(decideBudget([], "me"), "client");
    assert.equal(decideBudget([{ asker: "me" }, { asker: "other" }], "me"), "own");
    assert.equal(decideBudget([{ asker: "other" }, { asker: null }], "me"), "shared");
  });
});

const ask = (signin: SigninWithUsers, address: string, email = EMAIL) =>
  signin.post("/auth/password/reset/code", { email }, { from: { address } });

const guess = (signin: SigninWithUsers, address: string, code: string, email = EMAIL) =>
  signin.post(
    "/auth/password/reset/complete",
    { email, code, password: PASSWORD },
    { from: { address } },
  );

const wrong = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");

describe("a stranger", () => {
  it("does not supersede the code that the owner asked for", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await ask(signin, OWNER);
    const code = signin.codeFor(EMAIL);
    signin.deps.clock.advance(61_000);
    await ask(signin, "198.51.100.1");
    assert.notEqual(signin.codeFor(EMAIL), code);
    assert.equal((await guess(signin, OWNER, code)).status, 200);
  });

  it("does not use up the owner's attempts, nor the day's", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await ask(signin, OWNER);
    const code = signin.codeFor(EMAIL);
    for (let at = 0; at < 40; at += 1) await guess(signin, `198.51.${at}.1`, wrong(code));
    for (let at = 0; at < 4; at += 1) {
      assert.equal((await guess(signin, OWNER, wrong(code))).body.code, "invalid_code");
    }
    assert.equal((await guess(signin, OWNER, code)).status, 200);
  });

  it("does not keep the owner from a code: a request within the minute joins the one that was mailed", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await ask(signin, "198.51.100.1");
    await ask(signin, OWNER);
    const code = signin.codeFor(EMAIL);
    for (let at = 0; at < 30; at += 1) await guess(signin, `198.51.${at}.1`, wrong(code));
    assert.equal((await guess(signin, OWNER, code)).status, 200);
  });

  it("does not keep the owner from a code by requests that mail none", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    const stranger = "198.51.100.1";
    for (let at = 0; at < 8; at += 1) {
      await ask(signin, stranger);
      signin.deps.clock.advance(61_000);
    }
    // The codes of those mails have expired, and the stranger's share of the hour is used up.
    signin.deps.clock.advance(900_000);
    signin.mails.length = 0;
    await ask(signin, stranger);
    assert.equal(signin.mails.length, 0);
    await ask(signin, OWNER);
    const code = signin.codeFor(EMAIL);
    assert.equal((await guess(signin, OWNER, code)).status, 200);
  });

  it("gets no more than the shared attempts without asking, and its own for asking", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await ask(signin, OWNER);
    const code = signin.codeFor(EMAIL);
    const answers = [];
    for (let at = 0; at < 40; at += 1) {
      answers.push((await guess(signin, `198.51.${at}.1`, wrong(code))).status);
    }
    const shared = RATE_LIMITS.codeAttemptsPerEmail.limit;
    assert.equal(answers.filter((status) => status === 400).length, shared);
    assert.equal(answers.filter((status) => status === 429).length, 40 - shared);
    await ask(signin, "198.51.100.1");
    const own = [];
    for (let at = 0; at < 6; at += 1) {
      own.push((await guess(signin, "198.51.100.1", wrong(code))).body.code);
    }
    assert.deepEqual(own, Array(6).fill("invalid_code"));
    const late = await guess(signin, "198.51.100.1", code);
    assert.equal(late.body.code, "invalid_code", "five were compared");
  });

  it("leaves a bounded number of rows, however many addresses it tries", async () => {
    await using signin = await createSigninWithUsers();
    const count = async () => {
      const [row] = await signin.rows(
        "SELECT (SELECT count(*) FROM email_codes) + (SELECT count(*) FROM audit_events) AS n",
      );
      return Number(row?.n);
    };
    const statuses = [];
    for (let at = 0; at < 100; at += 1) {
      statuses.push((await guess(signin, OWNER, "12345678", `user${at}@example.test`)).status);
    }
    const { limit } = RATE_LIMITS.codeCompletePerIp;
    assert.deepEqual(statuses, [...Array(limit).fill(400), ...Array(100 - limit).fill(429)]);
    assert.equal(await count(), 1, "the refusal, once");
    signin.deps.clock.advance(300_000);
    assert.equal((await guess(signin, OWNER, "12345678")).status, 400);
  });

  it("counts by its network, too: the addresses of one /48 are one party", async () => {
    await using signin = await createSigninWithUsers();
    const { limit } = RATE_LIMITS.codeCompletePerNetwork;
    const statuses = [];
    for (let at = 0; at <= limit; at += 1) {
      const address = `2001:db8:7:${at.toString(16)}::1`;
      statuses.push((await guess(signin, address, "12345678", `user${at}@example.test`)).status);
    }
    assert.deepEqual(statuses, [...Array(limit).fill(400), 429]);
    assert.equal((await guess(signin, "2001:db8:8::1", "12345678")).status, 400);
  });
});

describe("whatever strangers do", () => {
  const strangerStep = fc.record({
    who: fc.constantFrom(...STRANGERS),
    does: fc.constantFrom("ask", "ask", "guess", "guess five times"),
    waitSec: fc.constantFrom(0, 1, 30, 61, 600, 3_600),
  });

  it("the owner asks once and enters the code of the newest mail, mistyped four times", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(strangerStep, { maxLength: 40 }),
        fc.array(strangerStep, { maxLength: 10 }),
        async (before, between) => {
          await using signin = await createSigninWithUsers();
          await signin.signUp(EMAIL);
          signin.mails.length = 0;
          const act = async ({ who, does }: { who: string; does: string }) => {
            if (does === "ask") return ask(signin, who);
            const times = does === "guess" ? 1 : 5;
            for (let at = 0; at < times; at += 1) await guess(signin, who, "00000000");
          };
          for (const step of before) {
            await act(step);
            signin.deps.clock.advance(step.waitSec * 1000);
          }
          await ask(signin, OWNER);
          const code = signin.codeFor(EMAIL);
          for (const step of between) await act(step);
          for (let at = 0; at < 4; at += 1) await guess(signin, OWNER, wrong(code));
          assert.equal((await guess(signin, OWNER, code)).status, 200);
        },
      ),
      { numRuns: 40 },
    );
  });
});
