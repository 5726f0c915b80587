import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { parseConfig } from "../../../signin/config/config.ts";
import type { RequestOrigin } from "../../../signin/deps.ts";
import { MAILBOX_CHARACTERS_MAX, MAILBOX_MAILS_MAX } from "../../../signin/limits.ts";
import { type Mail, MailFailed } from "../../../signin/mail/mailer.ts";
import { mailboxUrl, serveMailbox } from "../../../signin/node/development-mailbox/endpoint.ts";
import { createMailbox } from "../../../signin/node/development-mailbox/mailbox.ts";
import { buildMailboxModule } from "../../../tools/page.ts";
import { createTestSignin, TEST_ENV } from "../../support/signin/signin.ts";
import { TestClock } from "../../support/time.ts";

const HOST = "127.0.0.1:8787";
const MAIL: Mail = { to: "ada@example.test", subject: "Your code", text: "Code: 12345678\n" };
const HOSTILE = `"'><script>alert(1)</script>&amp;`;

const openMailbox = () => {
  const clock = new TestClock();
  const mailbox = createMailbox(clock);
  const sent: Mail[] = [];
  const send = (mail: Partial<Mail>) =>
    mailbox.watch({ send: async (given) => void sent.push(given) }).send({ ...MAIL, ...mail });
  return { clock, mailbox, sent, send };
};

describe("the mailbox of development", () => {
  it("has the last 50 mails, the newest first, and no other", async () => {
    const { mailbox, sent, send } = openMailbox();
    for (let at = 0; at <= MAILBOX_MAILS_MAX; at += 1) await send({ subject: `mail ${at}` });
    const subjects = mailbox.list().map(({ subject }) => subject);
    assert.equal(subjects.length, 50);
    assert.equal(subjects[0], "mail 50");
    assert.equal(subjects.at(-1), "mail 1");
    assert.equal(mailbox.find("1"), undefined);
    assert.equal(mailbox.find("51")?.subject, "mail 50");
    assert.equal(sent.length, 51, "each one was sent");
  });

  it("drops its oldest mails where they are too long together", async () => {
    const { mailbox, send } = openMailbox();
    const text = "x".repeat(MAILBOX_CHARACTERS_MAX / 4);
    for (let at = 0; at < 6; at += 1) await send({ subject: `mail ${at}`, text });
    assert.deepEqual(
      mailbox.list().map(({ subject }) => subject),
      ["mail 5", "mail 4", "mail 3"],
    );
    await send({ html: "x".repeat(MAILBOX_CHARACTERS_MAX) });
    assert.deepEqual(mailbox.list(), []);
  });

  it("keeps a mail that is being sent, and one that was refused, whose error stays the same", async () => {
    const { mailbox } = openMailbox();
    const answered = Promise.withResolvers<void>();
    const refused = new MailFailed("no");
    const sending = mailbox.watch({ send: () => answered.promise }).send(MAIL);
    assert.equal(mailbox.find("1")?.state, "sending");
    answered.reject(refused);
    await assert.rejects(sending, (error) => error === refused);
    assert.equal(mailbox.find("1")?.state, "failed");
  });

  it("is served as it is written", async () => {
    const path = "../../../signin/node/development-mailbox/page.generated.ts";
    const served = await readFile(new URL(path, import.meta.url), "utf8");
    assert.equal(served, await buildMailboxModule(), "npm run page:generate");
  });
});

/** A server in development whose mailbox has two mails, asked as a program of this machine asks. */
async function openServer() {
  const base = `http://${HOST}`;
  const env = { APP_ENV: "development", APP_BASE_URL: base, APP_UI_BASE_URL: `${base}/` };
  const server = await createTestSignin(env);
  const { clock, mailbox, send } = openMailbox();
  const { config } = server.deps;
  const fetch = serveMailbox(config, mailbox, server.signin.fetch);
  const ask = (
    path: string,
    { method = "GET", host = HOST, ...given }: RequestInit & { host?: string } = {},
    origin: RequestOrigin = { address: "127.0.0.1" },
  ) => fetch(new Request(`http://${host}${path}`, { method, ...given }), { host, ...origin });
  await send({ code: "12345678", html: `<p>${HOSTILE}</p>` });
  await send({ subject: HOSTILE, to: `${HOSTILE}@example.test`, text: HOSTILE });
  return Object.assign(server, { clock, ask, fetch, send });
}

describe("GET /dev/mail", () => {
  it("is for this machine alone: each other request gets what an unknown path gets", async () => {
    await using server = await openServer();
    const forwarded = (name: string) => ({ headers: { [name]: "203.0.113.7" } });
    const cases: [string, number, RequestInit & { host?: string }, RequestOrigin?][] = [
      ["IPv4", 200, {}],
      ["another address of 127.0.0.0/8", 200, {}, { address: "127.1.2.3" }],
      ["IPv6", 200, { host: "[::1]:8787" }, { address: "::1" }],
      ["IPv4 in IPv6", 200, {}, { address: "::ffff:127.0.0.1" }],
      ["a name", 200, { host: "localhost:8787" }],
      ["a name in capitals", 200, {}, { address: "127.0.0.1", host: "LocalHost:8787" }],
      ["without a port", 200, { host: "127.0.0.1" }],
      ["HEAD", 200, { method: "HEAD" }],
      ["POST", 404, { method: "POST" }],
      ["DELETE", 404, { method: "DELETE" }],
      ["a peer of the network", 404, {}, { address: "192.168.1.7" }],
      ["a container's gateway", 404, {}, { address: "172.17.0.1" }],
      ["a peer elsewhere", 404, {}, { address: "203.0.113.7" }],
      ["no peer", 404, {}, { address: undefined }],
      ["X-Forwarded-For", 404, forwarded("x-forwarded-for")],
      ["X-Forwarded-Host", 404, forwarded("x-forwarded-host")],
      ["X-Real-IP", 404, forwarded("x-real-ip")],
      ["Forwarded", 404, forwarded("forwarded")],
      ["Via", 404, forwarded("via")],
      ["X-Forwarded-Proto", 404, forwarded("x-forwarded-proto")],
      ["CF-Connecting-IP", 404, forwarded("cf-connecting-ip")],
      ["True-Client-IP", 404, forwarded("true-client-ip")],
      ["X-Envoy-External-Address", 404, forwarded("x-envoy-external-address")],
      ["a foreign name that resolves to 127.0.0.1", 400, { host: "evil.test:8787" }],
      ["a foreign Host in front of it", 400, {}, { address: "127.0.0.1", host: "evil.test" }],
      ["a foreign target", 400, { host: "evil.test" }, { address: "127.0.0.1", host: HOST }],
      ["a name that begins so", 400, { host: "localhost.evil.test" }],
      ["an address that begins so", 400, { host: "127.0.0.1.evil.test" }],
      ["an empty Host", 400, {}, { address: "127.0.0.1", host: "" }],
    ];
    for (const path of ["/dev/mail", "/dev/mail/1", "/dev/mail/script.js", "/dev/mail/style.css"]) {
      for (const [name, status, request, origin] of cases) {
        const response = await server.ask(path, request, { address: "127.0.0.1", ...origin });
        assert.equal(response.status, status, `${path}: ${name}`);
        const text = await response.text();
        if (status !== 200) assert.equal(text.includes("12345678"), false, name);
        if (request.method === "HEAD") assert.equal(text, "");
      }
    }
  });

  it("knows no other path and no other mail", async () => {
    await using server = await openServer();
    for (const path of [
      "/dev",
      "/dev/",
      "/dev/mail/",
      "/dev/mails",
      "/dev/mail/0",
      "/dev/mail/3",
      "/dev/mail/01",
      "/dev/mail/1/",
      "/dev/mail/%31",
      "/dev/mail/constructor",
      "/dev/mail//1",
    ]) {
      assert.equal((await server.ask(path)).status, 404, path);
    }
  });

  it("answers JSON to a program that wants it", async () => {
    await using server = await openServer();
    const headers = { accept: "application/json" };
    const list = await server.ask("/dev/mail", { headers });
    assert.equal(list.headers.get("vary"), "Accept, Origin");
    const { mails } = await list.json();
    assert.deepEqual(
      mails.map(({ id, code }: { id: string; code: string | null }) => [id, code]),
      [
        ["2", null],
        ["1", "12345678"],
      ],
    );
    const one = await server.ask("/dev/mail/1", { headers });
    assert.deepEqual(await one.json(), {
      ...MAIL,
      id: "1",
      created_at: new Date(server.clock.now()).toISOString(),
      code: "12345678",
      state: "sent",
      html: `<p>${HOSTILE}</p>`,
    });
  });

  it("writes nothing of a mail as markup, and its policy lets no script of a mail run", async () => {
    await using server = await openServer();
    for (const path of ["/dev/mail", "/dev/mail/1", "/dev/mail/2"]) {
      const response = await server.ask(path);
      const html = await response.text();
      assert.deepEqual(html.match(/<script[^>]*>/g), [
        '<script type="module" src="/dev/mail/script.js">',
      ]);
      assert.equal(html.includes("alert(1)</script>"), false);
      const policy = (response.headers.get("content-security-policy") ?? "").split("; ");
      assert.deepEqual(policy.slice(0, 3), [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
      ]);
      assert.ok(policy.includes("frame-ancestors 'none'"));
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("cross-origin-resource-policy"), "same-origin");
    }
    const page = await (await server.ask("/dev/mail/1")).text();
    assert.match(page, /<iframe sandbox title="[^"]+" srcdoc="[^"]*"><\/iframe>/);
  });

  it("is not readable for an origin that is not this server's or the user interface's", async () => {
    await using server = await openServer();
    const response = await server.ask("/dev/mail", { headers: { origin: "https://evil.test" } });
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  });
});

describe("the address of the mailbox", () => {
  const cases: [listens: string, base: string | undefined, address: string | undefined][] = [
    ["127.0.0.1", undefined, "http://localhost:8787/dev/mail"],
    ["127.0.0.1", "http://localhost:8787", "http://localhost:8787/dev/mail"],
    ["::1", undefined, "http://[::1]:8787/dev/mail"],
    ["0.0.0.0", "https://tunnel.example.test", "http://127.0.0.1:8787/dev/mail"],
    ["127.0.0.1", "https://localhost:8443", "http://127.0.0.1:8787/dev/mail"],
    ["192.168.1.5", undefined, undefined],
  ];
  for (const [SIGNIN_HOST, APP_BASE_URL, address] of cases) {
    it(`is ${address} where the server listens on ${SIGNIN_HOST} for ${APP_BASE_URL}`, () => {
      const { JWT_SECRET_KEY, TOKEN_ENCRYPTION_KEY } = TEST_ENV;
      const keys = { JWT_SECRET_KEY, TOKEN_ENCRYPTION_KEY };
      const env = { APP_ENV: "development", SIGNIN_HOST, APP_BASE_URL, ...keys };
      assert.equal(mailboxUrl(parseConfig(env)), address);
    });
  }
});
