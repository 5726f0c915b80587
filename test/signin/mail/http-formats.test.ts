import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfig } from "../../../signin/config/config.ts";
import { createMailer } from "../../../signin/mail/create-mailer.ts";
import { type SeenRequest, startFakeServer } from "../../support/fake-server.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";

const MAIL = { to: "ann@example.test", subject: "Grüße", text: "Your code: 12345678\n\nÜ\n" };
const FROM = "Example Sign-in <no-reply@example.test>";
const TOKEN = "mail-token-canary";

/** Sends one mail as a server with this configuration does, and returns the request that the service got. */
async function send(env: Record<string, string>): Promise<SeenRequest> {
  await using service = await startFakeServer(() => async () => new Response("{}"));
  const config = parseConfig({
    ...TEST_ENV,
    APP_ENV: "development",
    MAIL_TRANSPORT: "http",
    MAIL_HTTP_URL: `${service.url}/send`,
    MAIL_HTTP_TOKEN: TOKEN,
    MAIL_FROM: FROM,
    ...env,
  });
  await createMailer(config.mail, { fetch, writeLine: () => assert.fail("no log") }).send(MAIL);
  const [request, ...more] = service.takeRequests();
  assert.ok(request);
  assert.deepEqual(more, []);
  assert.equal(request.method, "POST");
  assert.equal(request.path, "/send");
  assert.ok(!request.query.toString().includes(TOKEN), "no token in an address");
  return request;
}

describe("a mail service gets its own form of a message", () => {
  const { subject, text, to } = MAIL;
  const JSON_SERVICES: [name: string, env: Record<string, string>, expected: object][] = [
    ["Resend", { MAIL_HTTP_FORMAT: "resend" }, { from: FROM, to, subject, text }],
    ["any server by default", {}, { from: FROM, to, subject, text }],
    [
      "Postmark",
      { MAIL_HTTP_FORMAT: "postmark" },
      { From: FROM, To: to, Subject: subject, TextBody: text },
    ],
    [
      "SendGrid",
      { MAIL_HTTP_FORMAT: "sendgrid" },
      {
        personalizations: [{ to: [{ email: to }] }],
        from: { email: "no-reply@example.test", name: "Example Sign-in" },
        subject,
        content: [{ type: "text/plain", value: text }],
      },
    ],
  ];
  for (const [name, env, expected] of JSON_SERVICES) {
    it(`${name}: JSON`, async () => {
      const { headers, body } = await send(env);
      assert.equal(headers.get("content-type"), "application/json");
      assert.deepEqual(JSON.parse(body), expected);
    });
  }

  it("Mailgun: a form of several parts", async () => {
    const { headers, body } = await send({ MAIL_HTTP_FORMAT: "mailgun" });
    const type = headers.get("content-type") ?? "";
    assert.match(type, /^multipart\/form-data; boundary=/);
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const fields = Object.fromEntries(form);
    // The encoding of a form has line ends of its own.
    assert.equal(String(fields.text).replaceAll("\r\n", "\n"), text);
    assert.deepEqual({ ...fields, text }, { from: FROM, to, subject, text });
  });

  for (const [format, header, value] of [
    ["resend", "authorization", `Bearer ${TOKEN}`],
    ["postmark", "x-postmark-server-token", TOKEN],
    ["sendgrid", "authorization", `Bearer ${TOKEN}`],
    ["mailgun", "authorization", `Basic ${Buffer.from(`api:${TOKEN}`).toString("base64")}`],
  ] as const) {
    it(`${format}: the token is in its header alone`, async () => {
      const { headers, body } = await send({ MAIL_HTTP_FORMAT: format });
      assert.equal(headers.get(header), value);
      const others = [...headers].filter(([name]) => name !== header);
      assert.ok(!JSON.stringify([others, body]).includes(TOKEN));
    });
  }

  for (const [from, expected] of [
    ["no-reply@example.test", { email: "no-reply@example.test" }],
    ["<no-reply@example.test>", { email: "no-reply@example.test" }],
    ['"Ann, Inc." <a@example.test>', { email: "a@example.test", name: "Ann, Inc." }],
  ] as const) {
    it(`SendGrid: the sender ${from} in its fields`, async () => {
      const { body } = await send({ MAIL_HTTP_FORMAT: "sendgrid", MAIL_FROM: from });
      assert.deepEqual(JSON.parse(body).from, expected);
    });
  }
});
