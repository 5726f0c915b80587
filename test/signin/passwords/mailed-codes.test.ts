// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { createSigninWithUsers, type SigninWithUsers } from "../../support/signin/users.ts";
import {
  ask,
  createOwner,
  EMAIL,
  enter,
  HOUR_MS,
  isLong,
  OWNER,
  type Purpose,
  stranger,
} from "./code-requests.ts";

const wrong = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");

async function guessWrongly(signin: SigninWithUsers, times: number, purpose: Purpose = "login") {
  for (let at = 0; at < times; at += 1) {
    const answer = await enter(signin, purpose, "00000000", { address: stranger(at) });
    assert.equal(answer.body.code, "invalid_code");
  }
}

describe("a mailed code", () => {
  it("is replaced by the next one of its purpose, and is good once", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const old = signin.codeFor(EMAIL);
    signin.deps.clock.advance(61_000);
    await ask(signin, "login");
    const fresh = signin.codeFor(EMAIL);
    assert.equal((await enter(signin, "login", old)).body.code, "invalid_code");
    assert.equal((await enter(signin, "reset", fresh)).body.code, "invalid_code");
    assert.equal((await enter(signin, "login", fresh)).status, 200);
    assert.equal((await enter(signin, "login", fresh)).body.code, "invalid_code");
  });

  it("is mailed once for 25 requests that arrive at once, and stays good in a further one", async () => {
    await using signin = await createOwner();
    const answers = await Promise.all(Array.from({ length: 15 }, () => ask(signin, "login")));
    assert.ok(answers.every(({ status }) => status === 200));
    await ask(signin, "login", stranger(1));
    assert.equal(signin.mails.length, 1);
    assert.equal((await enter(signin, "login", signin.codeFor(EMAIL))).status, 200);
  });

  it("lets one of 25 completions succeed", async () => {
    await using signin = await createSigninWithUsers();
    await ask(signin, "signup");
    const code = signin.codeFor(EMAIL);
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        enter(signin, "signup", code, { address: stranger(at) }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal((await signin.rows("SELECT id FROM users")).length, 1);
    assert.equal((await signin.rows("SELECT id FROM sessions")).length, 1);
  });

  it("is mailed to 20 addresses an hour for one client", async () => {
    await using signin = await createSigninWithUsers();
    for (let at = 0; at < 25; at += 1) {
      const answer = await ask(signin, "signup", OWNER, `user${at}@example.test`);
      assert.equal(answer.status, 200);
    }
    assert.equal(signin.mails.length, 20);
  });

  it("is answered 503 where the server has no way to send mail", async () => {
    await using signin = await createSigninWithUsers({ MAIL_TRANSPORT: "" });
    for (const purpose of ["signup", "reset", "login"] as const) {
      const { status, body } = await ask(signin, purpose);
      assert.deepEqual([status, body.code], [503, "mail_unavailable"]);
    }
  });
});

describe("five wrong guesses", () => {
  it("end a code, whatever client they are from, and a request mails another one at once", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const code = signin.codeFor(EMAIL);
    await guessWrongly(signin, 5);
    assert.equal((await enter(signin, "login", code)).body.code, "invalid_code");
    await ask(signin, "login");
    const next = signin.codeFor(EMAIL);
    assert.notEqual(next, code);
    assert.equal((await enter(signin, "login", next)).status, 200);
  });

  it("are one more than the owner may make, and none at a code of another purpose", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const code = signin.codeFor(EMAIL);
    await guessWrongly(signin, 4);
    await guessWrongly(signin, 5, "reset");
    assert.equal((await enter(signin, "login", code)).status, 200);
  });

  it("are what is compared of 50 that arrive at once", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const code = signin.codeFor(EMAIL);
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        enter(signin, "login", at < 20 ? wrong(code) : code, { address: stranger(at) }),
      ),
    );
    const [row] = await signin.rows("SELECT attempts FROM email_codes WHERE purpose = 'login'");
    assert.ok(Number(row?.attempts) <= 5);
    for (let at = 0; at < 5; at += 1) await enter(signin, "login", wrong(code));
    assert.equal((await enter(signin, "login", code)).body.code, "invalid_code");
  });
});

describe("from the 20th wrong guess of a day on", () => {
  it("eight digits are good no longer, and the address gets a long code", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const short = signin.codeFor(EMAIL);
    await guessWrongly(signin, 20);
    assert.equal((await enter(signin, "login", short)).body.code, "invalid_code");
    await ask(signin, "login");
    const long = signin.codeFor(EMAIL);
    assert.ok(isLong(long), long);
    assert.equal((await enter(signin, "login", long)).status, 200);
  });

  it("a pending code of another purpose is good no longer, either", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const short = signin.codeFor(EMAIL);
    await ask(signin, "reset");
    await guessWrongly(signin, 20, "reset");
    assert.equal((await enter(signin, "login", short)).body.code, "invalid_code");
  });

  it("not before: the next code of eight digits is good", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    await guessWrongly(signin, 19);
    await ask(signin, "login");
    const code = signin.codeFor(EMAIL);
    assert.match(code, /^\d{8}$/);
    assert.equal((await enter(signin, "login", code)).status, 200);
  });

  it("and guesses that arrive at once are counted, each", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    const short = signin.codeFor(EMAIL);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        enter(signin, "login", wrong(short), { address: stranger(at) }),
      ),
    );
    assert.equal((await enter(signin, "login", short)).status, 400);
  });

  it("guesses at a long code count nowhere, and it is entered in any form", async () => {
    await using signin = await createOwner();
    await ask(signin, "reset");
    await guessWrongly(signin, 20, "reset");
    await ask(signin, "reset");
    const long = signin.codeFor(EMAIL);
    const other = `${long.slice(0, -1)}${long.endsWith("A") ? "B" : "A"}`;
    for (let at = 0; at < 60; at += 1) {
      assert.equal((await enter(signin, "reset", other, { address: stranger(at) })).status, 400);
    }
    const parts =
      long
        .toLowerCase()
        .match(/.{1,6}/g)
        ?.join("-") ?? "";
    assert.equal((await enter(signin, "reset", ` ${parts} `)).status, 200);
    assert.equal((await enter(signin, "reset", long)).status, 400, "once");
  });

  it("the long code is mailed once, is never replaced, and is good for 24 hours", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    await guessWrongly(signin, 20);
    await ask(signin, "login");
    const long = signin.codeFor(EMAIL);
    const mails = signin.mails.length;
    for (let at = 0; at < 20; at += 1) {
      signin.deps.clock.advance(HOUR_MS);
      await ask(signin, "login", stranger(at));
    }
    assert.equal(signin.mails.length, mails);
    signin.deps.clock.advance(3 * HOUR_MS);
    assert.equal((await enter(signin, "login", long)).status, 200);
  });

  it("the long code stays good beside a short one of the next day", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    await guessWrongly(signin, 20);
    signin.deps.clock.advance(5 * HOUR_MS);
    await ask(signin, "login");
    const long = signin.codeFor(EMAIL);
    signin.deps.clock.advance(20 * HOUR_MS);
    await ask(signin, "login");
    assert.match(signin.codeFor(EMAIL), /^\d{8}$/);
    assert.equal((await enter(signin, "login", long)).status, 200);
  });

  it("the day ends: eight digits are good again", async () => {
    await using signin = await createOwner();
    await ask(signin, "login");
    await guessWrongly(signin, 20);
    signin.deps.clock.advance(25 * HOUR_MS);
    await ask(signin, "login");
    const code = signin.codeFor(EMAIL);
    assert.match(code, /^\d{8}$/);
    assert.equal((await enter(signin, "login", code)).status, 200);
  });

  it("another address is not concerned, and an unknown one is treated alike", async () => {
    await using signin = await createOwner();
    for (const email of ["bob@example.test", "unknown@example.test"]) {
      await ask(signin, "login", OWNER, email);
      for (let at = 0; at < 20; at += 1) {
        await enter(signin, "login", "00000000", { address: stranger(at), email });
      }
      await ask(signin, "login", OWNER, email);
    }
    const rows = await signin.rows(
      "SELECT email_norm, is_long, code_hmac FROM email_codes WHERE superseded_at IS NULL AND consumed_at IS NULL ORDER BY rowid",
    );
    assert.deepEqual(
      rows.map((row) => [row.email_norm, row.is_long, row.code_hmac]),
      ["bob@example.test", "unknown@example.test"].map((email) => [email, 1, ""]),
    );
    await ask(signin, "login");
    assert.match(signin.codeFor(EMAIL), /^\d{8}$/);
  });
});

describe("mails with codes", () => {
  it("are nine short ones and one long one of each purpose in a day", async () => {
    await using signin = await createOwner();
    for (let at = 0; at < 300; at += 1) {
      const purpose = (["login", "reset", "signup"] as const)[at % 3] ?? "login";
      await ask(signin, purpose, stranger(at));
      signin.deps.clock.advance(61_000);
    }
    const codes = signin.mails.map(({ code = "" }) => code);
    // The account exists already: its mails of the sign-up have none.
    assert.equal(signin.mails.length, 12);
    assert.deepEqual(codes.slice(0, 9).map(isLong), Array(9).fill(false));
    for (const mail of signin.mails.slice(9)) {
      if (!/already has one/.test(mail.text)) assert.ok(isLong(mail.code ?? ""));
    }
    assert.match(
      signin.mails.at(-1)?.text ?? signin.mails.at(-2)?.text ?? "",
      /24 hours|already has one/,
    );
  });

  it("that could not be sent are sent with the next request", async () => {
    let refuses = true;
    const sent: string[] = [];
    const mailer = {
      async send({ code = "" }: { code?: string | undefined }) {
        if (refuses) throw new MailFailed("The mail service answered 500.");
        sent.push(code);
      },
    };
    await using signin = await createSigninWithUsers({}, { mailer });
    await ask(signin, "signup");
    refuses = false;
    await ask(signin, "signup");
    assert.equal((await enter(signin, "signup", sent[0] ?? "")).status, 200);
  });

  it("are not held off for a new account by requests from before it was made", async () => {
    await using signin = await createSigninWithUsers();
    await ask(signin, "login");
    await guessWrongly(signin, 20);
    await ask(signin, "login", stranger(1));
    await ask(signin, "signup");
    assert.equal((await enter(signin, "signup", signin.codeFor(EMAIL))).status, 200);
    await ask(signin, "login");
    assert.equal((await enter(signin, "login", signin.codeFor(EMAIL))).status, 200);
  });
});
