import assert from "node:assert/strict";
import { request } from "node:http";
import { describe, it } from "node:test";
import { systemClock } from "../../shared/clock.ts";
import { serve } from "../../shared/node/serve.ts";
import { parseConfig } from "../../signin/config/config.ts";
import { serveMailbox } from "../../signin/node/development-mailbox/endpoint.ts";
import { createMailbox } from "../../signin/node/development-mailbox/mailbox.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { startFakeServer } from "../support/fake-server.ts";
import { KEYS, nodeRuntime } from "../support/signin/runtimes.ts";
import { until, untilEqual } from "../support/time.ts";

const EMAIL = "canary-ada@example.test";
const HTTPS = { APP_BASE_URL: "https://auth.example.com", APP_UI_BASE_URL: "https://example.com" };
const AS_JSON = { headers: { accept: "application/json" } };

describe("the mails of a server in development", () => {
  it("are at the address that the log names, and no line of the log has a code", async () => {
    await using mails = await startFakeServer(() => async () => new Response("{}"));
    await using signin = await nodeRuntime.boot({
      APP_ENV: "development",
      SIGNIN_LOG_LEVEL: "debug",
      MAIL_TRANSPORT: "http",
      MAIL_HTTP_URL: mails.url,
      TRUSTED_PROXIES: "",
    });
    const address = await until(
      "the address",
      () => /"mailbox":"([^"]+)"/.exec(signin.output())?.[1],
    );
    assert.equal(address, `${signin.baseUrl}/dev/mail`);
    await fetch(`${signin.baseUrl}/auth/signup/code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: EMAIL }),
    });
    const mail = await until("the mail", async () => {
      const { mails } = await (await fetch(address, AS_JSON)).json();
      return mails.find(({ state }: { state: string }) => state === "sent");
    });
    assert.equal(mail.to, EMAIL);
    assert.match(mail.code, /^\d{8}$/);
    assert.ok(mails.takeRequests().some(({ body }) => body.includes(mail.code)));
    for (const path of [address, `${address}/${mail.id}`]) {
      assert.ok((await (await fetch(path)).text()).includes(mail.code));
    }
    await until("the line of the mail", () => signin.output().includes('"mail.sent"'));
    for (const secret of [mail.code, "canary-ada"]) {
      assert.equal(signin.output().includes(secret), false);
    }
  });

  for (const [APP_ENV, addresses, host] of [
    ["test", {}, undefined],
    ["staging", HTTPS, "auth.example.com"],
    ["production", HTTPS, "auth.example.com"],
  ] as const) {
    it(`are nowhere in ${APP_ENV}`, async () => {
      await using signin = await nodeRuntime.boot({ APP_ENV, TRUSTED_PROXIES: "", ...addresses });
      for (const path of ["/dev/mail", "/dev/mail/1", "/dev/mail/style.css"]) {
        assert.equal(await statusOf(signin.baseUrl + path, host), 404, path);
      }
      assert.equal(signin.output().includes("/dev/mail"), false);
    });
  }
});

/** The status of a GET with a Host of its own, which `fetch` does not send. */
function statusOf(url: string, host: string | undefined): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = host === undefined ? {} : { host };
    const asked = request(url, { headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    asked.on("error", reject).end();
  });
}

describe("the page of the mails", { skip: NO_CHROMIUM }, () => {
  it("copies a code, and runs no script of a mail", async () => {
    const mailbox = createMailbox(systemClock);
    const { send } = mailbox.watch({ send: async () => {} });
    const attack = `<script>parent.document.title = "run"</script><img src="/page/icon.svg" onerror="parent.document.title='run'">`;
    await send({ to: EMAIL, subject: "Code", text: "12345678", code: "12345678" });
    await send({
      to: EMAIL,
      subject: attack,
      text: attack,
      html: `<p style="color:red">Hello</p>${attack}<a href="/health" target="_top">Link</a>`,
    });
    const config = parseConfig({ APP_ENV: "development", ...KEYS });
    const fetch = serveMailbox(config, mailbox, async () => new Response(null, { status: 404 }));
    await using server = await serve({
      host: "127.0.0.1",
      port: 0,
      fetch: (asked, { socket }) => fetch(asked, { address: socket.remoteAddress }),
    });
    const base = `http://127.0.0.1:${server.port}/dev/mail`;
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));

    await page.goto(base);
    await page.getByRole("button", { name: "Copy 12345678" }).click();
    await page.getByRole("status").getByText("12345678 is copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "12345678");

    await page.getByRole("link", { name: attack }).click();
    await page.getByRole("heading", { name: attack }).waitFor();
    const frame = page.frameLocator("iframe");
    const hello = frame.getByText("Hello");
    await hello.waitFor();
    await untilEqual(
      () => hello.evaluate((element) => getComputedStyle(element).color),
      "rgb(255, 0, 0)",
    );
    await frame.getByRole("link").click();
    assert.equal(page.url(), `${base}/2`, "a frame that is sandboxed leads nowhere");
    await untilEqual(() => page.title(), `${attack} · Roundhouse`);
    assert.deepEqual(errors, []);
    await context.close();
  });
});
