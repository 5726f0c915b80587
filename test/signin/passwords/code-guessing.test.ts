// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../support/signin/users.ts";

const EMAIL = "ann@example.test";

async function guess(signin: SigninWithUsers, code: string) {
  return signin.post("/auth/signup/complete", { email: EMAIL, code, password: PASSWORD });
}

/** Codes that are not the one that was mailed. */
function wrongCodes(right: string, count: number): string[] {
  return Array.from({ length: count + 1 }, (_, at) => String(at).padStart(8, "0"))
    .filter((code) => code !== right)
    .slice(0, count);
}

describe("guessing a mailed code", () => {
  it("ends after five wrong ones, and the right one comes too late", async () => {
    await using signin = await createSigninWithUsers();
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    for (const wrong of wrongCodes(code, 5)) {
      assert.equal((await guess(signin, wrong)).body.code, "invalid_code");
    }
    const late = await guess(signin, code);
    assert.equal(late.status, 400);
    assert.equal(late.body.code, "invalid_code");
  });

  it("leaves the owner four mistakes", async () => {
    await using signin = await createSigninWithUsers();
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    for (const wrong of wrongCodes(code, 4)) await guess(signin, wrong);
    assert.equal((await guess(signin, code)).status, 200);
  });

  it("gets five of 50 guesses that arrive at once compared", async () => {
    await using signin = await createSigninWithUsers();
    await signin.post("/auth/signup/code", { email: EMAIL });
    const codes = wrongCodes(signin.codeFor(EMAIL), 50);
    const answers = await Promise.all(codes.map((code) => guess(signin, code)));
    assert.ok(answers.every(({ status }) => status === 400 || status === 429));
    const [row] = await signin.rows("SELECT attempts FROM email_codes");
    assert.equal(row?.attempts, 5);
  });

  it("lets one of 25 completions with the right code succeed", async () => {
    await using signin = await createSigninWithUsers();
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    const answers = await Promise.all(Array.from({ length: 25 }, () => guess(signin, code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal((await signin.rows("SELECT id FROM users")).length, 1);
    assert.equal((await signin.rows("SELECT id FROM sessions")).length, 1);
  });

  it("lets one of 25 resets with the right code succeed", async () => {
    await using signin = await createSigninWithUsers();
    await signin.signUp(EMAIL);
    await signin.post("/auth/password/reset/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    const reset = (at: number) =>
      signin.post("/auth/password/reset/complete", {
        email: EMAIL,
        code,
        password: `a new phrase, number ${at}`,
      });
    const answers = await Promise.all(Array.from({ length: 25 }, (_, at) => reset(at)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const alive = await signin.rows("SELECT id FROM sessions WHERE revoked_at IS NULL");
    assert.equal(alive.length, 1);
  });

  it("ends for the day after 20 attempts at one address, however many codes are mailed", async () => {
    await using signin = await createSigninWithUsers();
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await signin.post("/auth/signup/code", { email: EMAIL });
      for (const wrong of wrongCodes(signin.codeFor(EMAIL), 5)) {
        statuses.push((await guess(signin, wrong)).status);
      }
      signin.deps.clock.advance(3_601_000 / 4);
    }
    assert.deepEqual(statuses.slice(0, 20), Array(20).fill(400));
    assert.deepEqual(statuses.slice(20), Array(5).fill(429));
  });
});

describe("asking for codes", () => {
  it("answers 200 over every limit, and mails no more", async () => {
    await using signin = await createSigninWithUsers();
    const ask = async () => {
      const { status, body } = await signin.post("/auth/signup/code", { email: EMAIL });
      return { status, body, mails: signin.mails.length };
    };
    const first = await ask();
    assert.equal(first.mails, 1);
    assert.deepEqual(await ask(), { ...first, mails: 1 }, "one a minute");
    for (let count = 2; count <= 5; count += 1) {
      signin.deps.clock.advance(60_000);
      assert.equal((await ask()).mails, count);
    }
    signin.deps.clock.advance(60_000);
    assert.deepEqual(await ask(), { ...first, mails: 5 }, "five an hour");
    for (let count = 6; count <= 10; count += 1) {
      signin.deps.clock.advance(3_600_000);
      assert.equal((await ask()).mails, count);
    }
    signin.deps.clock.advance(3_600_000);
    assert.deepEqual(await ask(), { ...first, mails: 10 }, "ten a day");
  });

  it("mails one code for 25 requests that arrive at once", async () => {
    await using signin = await createSigninWithUsers();
    const ask = () => signin.post("/auth/signup/code", { email: EMAIL });
    const answers = await Promise.all(Array.from({ length: 25 }, ask));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(signin.mails.length, 1);
    assert.equal((await guess(signin, signin.codeFor(EMAIL))).status, 200);
  });

  it("mails no more than 20 an hour for one client, whatever the addresses", async () => {
    await using signin = await createSigninWithUsers();
    for (let at = 0; at < 25; at += 1) {
      const answer = await signin.post("/auth/signup/code", { email: `user${at}@example.test` });
      assert.equal(answer.status, 200);
    }
    assert.equal(signin.mails.length, 20);
  });

  it("leaves the mailed code good when a further request mails nothing", async () => {
    await using signin = await createSigninWithUsers();
    await signin.post("/auth/signup/code", { email: EMAIL });
    const code = signin.codeFor(EMAIL);
    await signin.post("/auth/signup/code", { email: EMAIL });
    assert.equal((await guess(signin, code)).status, 200);
  });

  it("says so where the server has no way to send mail at all", async () => {
    await using signin = await createSigninWithUsers({ MAIL_TRANSPORT: "" });
    for (const path of ["/auth/signup/code", "/auth/password/reset/code"]) {
      const answer = await signin.post(path, { email: EMAIL });
      assert.equal(answer.status, 503);
      assert.equal(answer.body.code, "mail_unavailable");
    }
  });
});
