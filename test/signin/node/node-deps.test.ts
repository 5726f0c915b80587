// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger } from "../../../shared/log.ts";
import { createSignin } from "../../../signin/app.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { createNodeDeps } from "../../../signin/node/node-deps.ts";
import { openFile } from "../../../signin/node/open-file.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../../support/signin/mail.ts";
import { BASE_URL, TEST_ENV } from "../../support/signin/signin.ts";

const EMAIL = "ann@example.test";
const PASSWORD = "correct horse battery";

async function openReal(receiver: SmtpReceiver) {
  const config = parseConfig({
    ...TEST_ENV,
    APP_ENV: "development",
    MAIL_TRANSPORT: "smtp",
    MAIL_SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
    MAIL_FROM: "Roundhouse <no-reply@example.test>",
  });
  const database = await openFile(":memory:");
  const signin = createSignin(createNodeDeps(config, database.db, silentLogger));
  const pending: Promise<unknown>[] = [];
  return {
    database,
    async post(path: string, body: unknown) {
      const request = new Request(new URL(path, BASE_URL), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const origin = {
        address: "203.0.113.7",
        waitUntil: (work: Promise<unknown>) => void pending.push(work),
      };
      const response = await signin.fetch(request, origin);
      const text = await response.text();
      await Promise.all(pending.splice(0));
      return { status: response.status, body: JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe("the server as Node runs it", () => {
  it("mails codes over SMTP, hashes with scrypt and keeps what it must count in the database", async () => {
    await using receiver = await startSmtpReceiver();
    await using real = await openReal(receiver);
    await real.post("/auth/signup/code", { email: EMAIL });
    const [mail] = receiver.received;
    assert.deepEqual(mail?.to, [EMAIL]);
    const code = /^Your code: (\d{8})\r?$/m.exec(mail?.data ?? "")?.[1];
    const made = await real.post("/auth/signup/complete", {
      email: EMAIL,
      code,
      password: PASSWORD,
    });
    assert.equal(made.status, 200);
    const right = await real.post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal(right.status, 200);
    const wrong = await real.post("/auth/login", { email: EMAIL, password: `${PASSWORD}!` });
    assert.equal(wrong.status, 401);

    const { $client } = real.database.db;
    const users = await $client.execute("SELECT password_hash FROM users");
    assert.match(String(users.rows[0]?.[0]), /^\$scrypt\$ln=14,r=8,p=5\$/);
    const counters = await $client.execute("SELECT k FROM rate_limits");
    const buckets = new Set(counters.rows.map(({ k }) => String(k).split(":")[0]));
    assert.deepEqual(
      buckets,
      new Set([
        "codeCompletePerIp",
        "codeMails",
        "codePerIp",
        "loginPerEmail",
        "loginPerEmailAndIp",
        "loginPerIp",
      ]),
    );
  });
});
