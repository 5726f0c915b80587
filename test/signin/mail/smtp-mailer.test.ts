import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { MailFailed } from "../../../signin/mail/mailer.ts";
import { createSmtpMailer } from "../../../signin/node/smtp-mailer.ts";
import { type SmtpReceiver, startSmtpReceiver } from "../../support/signin/mail.ts";

const MAIL = {
  to: "ann@example.test",
  subject: "Set a new password",
  text: "Your code: 12345678\n\n.dot\nÄ line that is rather long\n",
};

// For the system this is this machine; for the mailer it is a server somewhere.
const ELSEWHERE = "0.0.0.0";

function mailerTo(
  { port }: SmtpReceiver,
  options: { login?: string; requireTls?: boolean; host?: string } = {},
) {
  return createSmtpMailer({
    url: `smtp://${options.login ?? ""}${options.host ?? "127.0.0.1"}:${port}`,
    from: "Roundhouse <no-reply@example.test>",
    requireTls: options.requireTls ?? false,
  });
}

/** The body of a message, its transfer encoding undone. */
function bodyOf(data: string): string {
  const at = data.indexOf("\r\n\r\n");
  const body = data.slice(at + 4);
  if (!/quoted-printable/i.test(data.slice(0, at))) return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

describe("mail over SMTP", () => {
  it("arrives whole, as plain text, from the configured sender", async () => {
    await using receiver = await startSmtpReceiver();
    await mailerTo(receiver).send(MAIL);
    const [mail] = receiver.received;
    assert.ok(mail);
    assert.deepEqual(mail.to, [MAIL.to]);
    assert.equal(mail.from, "no-reply@example.test");
    const [head = ""] = mail.data.split("\r\n\r\n", 1);
    assert.match(head, /^From: Roundhouse <no-reply@example\.test>$/m);
    assert.match(head, /^To: ann@example\.test$/m);
    assert.match(head, /^Subject: Set a new password$/m);
    assert.match(head, /^Content-Type: text\/plain/m);
    assert.match(head, /^Auto-Submitted: auto-generated$/m);
    assert.ok(!head.includes("12345678"));
    assert.equal(bodyOf(mail.data).replaceAll("\r\n", "\n").trimEnd(), MAIL.text.trimEnd());
  });

  it("signs in with the user and password of the URL", async () => {
    await using receiver = await startSmtpReceiver();
    await mailerTo(receiver, { login: "us%40er:p%3Ass@" }).send(MAIL);
    const auth = receiver.commands.find((line) => line.startsWith("AUTH PLAIN "));
    const sent = Buffer.from(auth?.slice("AUTH PLAIN ".length) ?? "", "base64").toString();
    assert.equal(sent, "\u0000us@er\u0000p:ss");
  });

  for (const [name, to] of [
    ["a header", "ann@example.test\r\nBcc: eve@example.test"],
    ["another recipient", "ann@example.test, eve@example.test"],
    ["a command", "ann@example.test>\r\nRCPT TO:<eve@example.test"],
  ] as const) {
    it(`cannot be given ${name} through the address`, async () => {
      await using receiver = await startSmtpReceiver();
      await mailerTo(receiver)
        .send({ ...MAIL, to })
        .catch((error: unknown) => assert.ok(error instanceof MailFailed));
      assert.ok(receiver.received.every(({ to: taken }) => !taken.includes("eve@example.test")));
      assert.ok(!receiver.commands.some((line) => /^RCPT TO:<eve@/.test(line)));
      for (const { data } of receiver.received) {
        const [head = ""] = data.split("\r\n\r\n", 1);
        assert.doesNotMatch(head, /^Bcc:/m);
      }
    });
  }

  it("cannot be given a header through the subject", async () => {
    await using receiver = await startSmtpReceiver();
    await mailerTo(receiver).send({ ...MAIL, subject: "Hello\r\nBcc: eve@example.test" });
    const [head = ""] = receiver.received[0]?.data.split("\r\n\r\n", 1) ?? [];
    assert.doesNotMatch(head, /^Bcc:/m);
  });

  for (const step of ["greeting", "MAIL", "RCPT", "DATA", "."]) {
    it(`fails when the server refuses at ${step}, and says nothing of the message`, async () => {
      await using receiver = await startSmtpReceiver();
      receiver.refuse = step;
      const failure = await mailerTo(receiver)
        .send(MAIL)
        .catch((error: unknown) => error);
      assert.ok(failure instanceof MailFailed);
      assert.ok(!`${failure.message} ${String(failure.cause)}`.includes("12345678"));
      assert.deepEqual(receiver.received, []);
    });
  }

  it("leaves no code in an error, in whatever form the server quotes it", async () => {
    for (const code of ["53112233", "5311 2233", "KSJDQ0ZV9T7H2B4N6M8P1R3XYA"]) {
      await using receiver = await startSmtpReceiver();
      receiver.refuse = ".";
      const failure: unknown = await mailerTo(receiver)
        .send({ ...MAIL, text: `Your code: ${code}\n` })
        .catch((error: unknown) => error);
      const text = inspect(failure, { depth: 5, showHidden: true });
      assert.match(text, /554 5\.7\.1 filtered/);
      assert.equal(text.includes(code), false, text);
    }
  });

  it("works again after a failure", async () => {
    await using receiver = await startSmtpReceiver();
    const mailer = mailerTo(receiver);
    receiver.refuse = "RCPT";
    await assert.rejects(mailer.send(MAIL), MailFailed);
    receiver.refuse = undefined;
    await mailer.send(MAIL);
    assert.equal(receiver.received.length, 1);
  });

  it("does not go out in the clear where TLS is required", async () => {
    await using receiver = await startSmtpReceiver();
    const mailer = mailerTo(receiver, { requireTls: true, host: ELSEWHERE });
    await assert.rejects(mailer.send(MAIL), MailFailed);
    assert.deepEqual(receiver.received, []);
    assert.ok(!receiver.commands.some((line) => line.startsWith("MAIL")));
  });

  for (const host of ["127.0.0.1", "localhost"]) {
    it(`goes out in the clear to ${host} even where TLS is required elsewhere`, async () => {
      await using receiver = await startSmtpReceiver();
      await mailerTo(receiver, { requireTls: true, host }).send(MAIL);
      assert.equal(receiver.received.length, 1);
    });
  }

  it("fails where no server answers", async () => {
    const receiver = await startSmtpReceiver();
    await receiver[Symbol.asyncDispose]();
    await assert.rejects(mailerTo(receiver).send(MAIL), MailFailed);
  });
});
