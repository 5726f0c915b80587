import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createHttpMailer } from "../../../signin/mail/http-mailer.ts";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { startFakeServer } from "../../support/fake-server.ts";

const MAIL = { to: "ann@example.test", subject: "Hello", text: "Your code: 12345678\n" };
const FROM = "Roundhouse <no-reply@example.test>";

async function startService(answer: (request: Request) => Promise<Response> | Response) {
  return startFakeServer(() => async (request) => answer(request));
}

describe("mail over HTTP", () => {
  it("is one POST of to, from, subject and text, with the token", async () => {
    await using service = await startService(() => new Response(null, { status: 202 }));
    const url = `${service.url}/send?account=1`;
    await createHttpMailer({ url, format: "resend", from: FROM, token: "mail-token", fetch }).send(
      MAIL,
    );
    const [request, ...more] = service.takeRequests();
    assert.equal(more.length, 0);
    assert.equal(request?.method, "POST");
    assert.equal(request?.path, "/send");
    assert.equal(request?.headers.get("authorization"), "Bearer mail-token");
    assert.equal(request?.headers.get("content-type"), "application/json");
    assert.deepEqual(JSON.parse(request?.body ?? ""), { ...MAIL, from: FROM });
  });

  it("carries no Authorization where no token is set", async () => {
    await using service = await startService(() => new Response("ok"));
    await createHttpMailer({ url: service.url, format: "resend", from: FROM, fetch }).send(MAIL);
    assert.equal(service.takeRequests()[0]?.headers.get("authorization"), null);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`follows no redirect (${status}): code and token go nowhere else`, async () => {
      await using elsewhere = await startService(() => new Response("ok"));
      await using service = await startService(
        () => new Response(null, { status, headers: { location: elsewhere.url } }),
      );
      const mailer = createHttpMailer({
        url: service.url,
        format: "resend",
        from: FROM,
        token: "t",
        fetch,
      });
      await assert.rejects(mailer.send(MAIL), MailFailed);
      assert.deepEqual(elsewhere.takeRequests(), []);
    });
  }

  for (const status of [400, 401, 404, 429, 500, 503]) {
    it(`fails on ${status}, and says nothing of the message or the answer`, async () => {
      await using service = await startService(
        (_) => new Response(`echo ${MAIL.text}`, { status }),
      );
      const mailer = createHttpMailer({
        url: service.url,
        format: "resend",
        from: FROM,
        token: "mail-token",
        fetch,
      });
      const failure = await mailer.send(MAIL).catch((error: unknown) => error);
      assert.ok(failure instanceof MailFailed);
      assert.equal(failure.message, `The mail service responded with status ${status}.`);
      assert.equal(failure.cause, undefined);
    });
  }

  it("reads no more than it must of an answer without an end", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384));
      },
    });
    const fake: typeof fetch = async () => new Response(endless);
    await createHttpMailer({
      url: "https://mail.test",
      format: "resend",
      from: FROM,
      fetch: fake,
    }).send(MAIL);
    assert.ok(sent < 1_000_000, `${sent} bytes were read`);
  });

  it("gives up in the end: the request carries a deadline", async () => {
    let signal: AbortSignal | null | undefined;
    const fake: typeof fetch = async (_url, init) => {
      signal = init?.signal;
      throw new DOMException("The operation timed out.", "TimeoutError");
    };
    const mailer = createHttpMailer({
      url: "https://mail.test",
      format: "resend",
      from: FROM,
      fetch: fake,
    });
    await assert.rejects(mailer.send(MAIL), /could not be reached/);
    assert.ok(signal instanceof AbortSignal);
  });

  it("fails where no server answers", async () => {
    const service = await startService(() => new Response("ok"));
    await service[Symbol.asyncDispose]();
    const mailer = createHttpMailer({ url: service.url, format: "resend", from: FROM, fetch });
    await assert.rejects(mailer.send(MAIL), /could not be reached/);
  });

  it("keeps line ends in an address inside their JSON text", async () => {
    await using service = await startService(() => new Response("ok"));
    const to = "a@x.test\r\nX-Injected: 1";
    await createHttpMailer({ url: service.url, format: "resend", from: FROM, fetch }).send({
      ...MAIL,
      to,
    });
    const [request] = service.takeRequests();
    assert.equal(request?.headers.get("x-injected"), null);
    assert.equal(JSON.parse(request?.body ?? "").to, to);
  });
});
