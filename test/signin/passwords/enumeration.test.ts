// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Database } from "../../../shared/database.ts";
import { randomBytes } from "../../../shared/random.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";
import {
  type Answer,
  createSigninWithUsers,
  MAIL_ENV,
  PASSWORD,
} from "../../support/signin/users.ts";

const KNOWN = "ann@example.test";
const UNKNOWN = "unknown@example.test";
const WITHOUT_PASSWORD = "provider@example.test";

async function createSignin(overrides = {}) {
  const signin = await createSigninWithUsers({}, overrides);
  await signin.signUp(KNOWN);
  await signin.db.$client.execute(
    `INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('u2', '${WITHOUT_PASSWORD}', '${WITHOUT_PASSWORD}', 1, 1)`,
  );
  signin.mails.length = 0;
  return signin;
}

/** Everything that a client sees, but for the id of the request. */
function seen({ status, headers, body }: Answer) {
  const shown = Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id"));
  return { status, headers: shown, body: { ...body, request_id: undefined } };
}

const REQUESTS: [string, (email: string) => [path: string, body: unknown]][] = [
  ["a sign-in", (email) => ["/auth/login", { email, password: "not the password" }]],
  ["a sign-up code", (email) => ["/auth/signup/code", { email }]],
  ["a reset code", (email) => ["/auth/password/reset/code", { email }]],
  ["a sign-in code", (email) => ["/auth/login/code", { email }]],
  [
    "a sign-in with a wrong code",
    (email) => ["/auth/login/code/complete", { email, code: "00000000" }],
  ],
  [
    "a sign-up with a wrong code",
    (email) => ["/auth/signup/complete", { email, code: "00000000", password: PASSWORD }],
  ],
  [
    "a reset with a wrong code",
    (email) => ["/auth/password/reset/complete", { email, code: "00000000", password: PASSWORD }],
  ],
];

describe("whether an address has an account cannot be seen", () => {
  for (const [name, toRequest] of REQUESTS) {
    it(`in the answer to ${name}`, async () => {
      await using signin = await createSignin();
      const answers = [];
      for (const email of [KNOWN, UNKNOWN, WITHOUT_PASSWORD]) {
        answers.push(seen(await signin.post(...toRequest(email))));
      }
      assert.deepEqual(answers[1], answers[0]);
      assert.deepEqual(answers[2], answers[0]);
    });

    it(`in the answer to ${name} once the limit is reached`, async () => {
      await using signin = await createSignin();
      const answers = [];
      for (const email of [KNOWN, UNKNOWN]) {
        let last: Answer | undefined;
        for (let count = 0; count < 25; count += 1) {
          last = await signin.post(...toRequest(email), {
            from: { address: email === KNOWN ? "198.51.100.1" : "198.51.100.2" },
          });
        }
        assert.ok(last);
        answers.push(seen(last));
      }
      assert.deepEqual(answers[1], answers[0]);
    });
  }

  it("in the time of a sign-in: a password is hashed whether there is one to compare with or not", async () => {
    const hashed: (string | null)[] = [];
    const hasher = {
      hash: async (password: string) => `plain:${password}`,
      verify: async (_password: string, stored: string) => {
        hashed.push(stored);
        return { matches: false, outdated: false };
      },
    };
    await using signin = await createSignin({ hasher });
    for (const email of [KNOWN, UNKNOWN, WITHOUT_PASSWORD]) {
      await signin.post("/auth/login", { email, password: "not the password" });
    }
    assert.deepEqual(hashed, [`plain:${PASSWORD}`, "", ""]);
  });

  it("in the time of a code request: mail goes out after the answer", async () => {
    const gate = Promise.withResolvers<void>();
    let sending = 0;
    const mailer = {
      send: async () => {
        sending += 1;
        await gate.promise;
      },
    };
    await using signin = await createSigninWithUsers({}, { mailer });
    const pending: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void pending.push(work);
    const options = { body: { email: KNOWN }, from: { address: "198.51.100.1", waitUntil } };
    const answer = await signin.call("POST", "/auth/signup/code", options);
    assert.equal(answer.status, 200, "answered while the mail is on its way");
    gate.resolve();
    await Promise.all(pending);
    assert.equal(sending, 1);
  });

  it("in a mail that could not be sent: the requester sees nothing, the trail does", async () => {
    const mailer = {
      send: async () => {
        throw new MailFailed("The mail service answered 500.");
      },
    };
    await using signin = await createSigninWithUsers({}, { mailer });
    const failed = await signin.post("/auth/signup/code", { email: KNOWN });
    assert.equal(failed.status, 200);
    assert.deepEqual(
      signin.audited.map(({ type, outcome, detail }) => ({ type, outcome, detail })),
      [{ type: "mail.failed", outcome: "failure", detail: { mail: "signup.code_sent" } }],
    );
    assert.ok(signin.logged.some((line) => line.includes("A mail could not be sent.")));
    assert.ok(!signin.logged.join().includes(KNOWN));
  });

  it("but its owner gets a mail", async () => {
    await using signin = await createSignin();
    await signin.post("/auth/signup/code", { email: KNOWN });
    const [mail] = signin.mails;
    assert.equal(mail?.to, KNOWN);
    assert.match(mail?.text ?? "", /already has one/);
    assert.doesNotMatch(mail?.text ?? "", /\d{8}/);
    const [row] = await signin.rows(
      "SELECT purpose, code_hmac FROM email_codes WHERE consumed_at IS NULL",
    );
    assert.equal(row?.purpose, "signup");
    assert.equal(row?.code_hmac, "", "of no code");
  });

  it("in what is written: the same statements in the same commits", async () => {
    for (const [name, toRequest] of REQUESTS) {
      await using signin = await createSignin();
      const seenBy = async (email: string) => {
        const written = await recordWrites(signin, () => signin.post(...toRequest(email)));
        return written.map((text) => text.replaceAll(/\s+/g, " "));
      };
      const known = await seenBy(KNOWN);
      assert.deepEqual(await seenBy(UNKNOWN), known, name);
      assert.deepEqual(await seenBy(WITHOUT_PASSWORD), known, name);
    }
  });

  const WAITS: [byte: number, ms: number][] = [
    [0, 0],
    [51, 100],
    [255, 500],
  ];
  for (const path of ["/auth/signup/code", "/auth/password/reset/code", "/auth/login/code"]) {
    it(`in the work after ${path}: it waits by chance, then reads, stores and composes the same`, async () => {
      for (const [byte, ms] of WAITS) {
        let steps: string[] = [];
        const config = parseConfig({ ...TEST_ENV, ...MAIL_ENV });
        const { appName } = config;
        await using signin = await createSignin({
          config: Object.defineProperty(config, "appName", {
            get() {
              steps.push("a mail is composed");
              return appName;
            },
          }),
          random: (count: number) => (count === 1 ? Uint8Array.of(byte) : randomBytes(count)),
          pause: async (waitMs: number) => void steps.push(`a wait of ${waitMs} ms`),
        });
        const stepsFor = async (email: string) => {
          steps = [];
          await recordWrites(signin, () => signin.post(path, { email }), steps, steps);
          return steps;
        };
        const known = await stepsFor(KNOWN);
        assert.deepEqual(
          known.map((step) => /^a .*|email_codes|audit_events|users/.exec(step)?.[0]),
          [`a wait of ${ms} ms`, "users", "email_codes", "a mail is composed", "audit_events"],
        );
        assert.deepEqual(await stepsFor(UNKNOWN), known);
        assert.deepEqual(await stepsFor(WITHOUT_PASSWORD), known);
      }
    });
  }

  it("in what is written for a wrong code, after a code was asked for", async () => {
    for (const [purpose, path] of [
      ["signup", "/auth/signup"],
      ["reset", "/auth/password/reset"],
      ["login", "/auth/login/code"],
    ] as const) {
      await using signin = await createSignin();
      const writes: string[][] = [];
      for (const email of [KNOWN, UNKNOWN, WITHOUT_PASSWORD]) {
        await signin.post(purpose === "login" ? path : `${path}/code`, { email });
        const body = { email, code: "00000000", password: PASSWORD };
        writes.push(await recordWrites(signin, () => signin.post(`${path}/complete`, body)));
      }
      // A refused sign-in is an event, too.
      assert.equal(writes[0]?.length, purpose === "login" ? 2 : 1, "the attempt");
      assert.deepEqual(writes[1], writes[0], purpose);
      assert.deepEqual(writes[2], writes[0], purpose);
    }
  });
});

/** The SQL of each commit that `work` makes, behind what `written` has; a batch is one. Reads go to `reads`. */
async function recordWrites(
  { db }: { db: Database },
  work: () => Promise<unknown>,
  written: string[] = [],
  reads?: string[],
): Promise<string[]> {
  const client = db.$client;
  const { execute, batch } = client;
  const sqlOf = (statement: unknown) =>
    typeof statement === "string" ? statement : (statement as { sql: string }).sql;
  client.execute = (statement: unknown, args?: unknown) => {
    if (!/^\s*select/i.test(sqlOf(statement))) written.push(sqlOf(statement));
    else if (reads) reads.push(sqlOf(statement));
    return Reflect.apply(execute, client, [statement, args]);
  };
  client.batch = (statements: unknown[], ...rest: unknown[]) => {
    written.push(statements.map(sqlOf).join("; "));
    return Reflect.apply(batch, client, [statements, ...rest]);
  };
  try {
    await work();
  } finally {
    client.execute = execute;
    client.batch = batch;
  }
  return written;
}
