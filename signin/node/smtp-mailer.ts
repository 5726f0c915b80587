import type { Transporter } from "nodemailer";
import { bareHost } from "../../shared/host.ts";
import { isLoopbackHost } from "../audit/address.ts";
import { MAIL_TIMEOUT_MS } from "../limits.ts";
import { type Mailer, MailFailed } from "../mail/mailer.ts";

/** A mail server, such as `smtps://user:password@mail.example.com`. */
interface SmtpMailerOptions {
  url: string;
  from: string;
  /** Outside development `smtp:` requires STARTTLS, unless the mail server is on this machine. */
  requireTls: boolean;
}

/** Mail over SMTP, Node only. nodemailer is loaded with the first message. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  let opened: Promise<Transporter> | undefined;
  return {
    async send({ to, subject, text, html }) {
      try {
        opened ??= createTransporter(options);
        const transport = await opened;
        await transport.sendMail({
          to: { name: "", address: to },
          from: options.from,
          subject,
          text,
          html,
          // RFC 3834: prevents automatic replies.
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        const cause = toQuotedSafely(error);
        throw new MailFailed("The mail server did not accept the message.", { cause });
      }
    },
  };
}

// As it may stand in a mail: with a blank or hyphen in the middle, or the long one.
const MAILED_CODE = /\d{4}[\s-]?\d{4}|\d{6,}|\b[0-9a-hjkmnp-tv-z]{20,}\b/gi;

/** What the mail server said: content filters quote the message, and the log must not have its code. */
function toQuotedSafely(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  return new Error(text.replace(MAILED_CODE, "[redacted]"));
}

/** Connects and signs in, and sends nothing. @throws if the mail server refuses */
export async function verifySmtp(options: Omit<SmtpMailerOptions, "from">): Promise<void> {
  const transport = await createTransporter(options);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function createTransporter({
  url,
  requireTls,
}: Omit<SmtpMailerOptions, "from">): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const host = bareHost(hostname);
  const isLocal = isLoopbackHost(host);
  return createTransport({
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: requireTls && !secure && !isLocal,
    // A mail server on this machine rarely has a certificate for a loopback name.
    ...(isLocal && !secure ? { tls: { rejectUnauthorized: false } } : {}),
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    // The mailer must read no file or URL for a message.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
