import type { Transporter } from "nodemailer";
import { MAIL_TIMEOUT_MS } from "../limits.ts";
import { type Mailer, MailFailed } from "../mail/mailer.ts";

/** A mail server, such as `smtps://user:password@mail.example.com`. */
export interface SmtpMailerOptions {
  url: string;
  from: string;
  /** Plain text to the mail server is for development; elsewhere `smtp:` must become TLS by STARTTLS. */
  requireTls: boolean;
}

/** Mail over SMTP, Node only. nodemailer is loaded with the first message. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  let opened: Promise<Transporter> | undefined;
  return {
    async send({ to, subject, text }) {
      try {
        opened ??= openTransport(options);
        const transport = await opened;
        await transport.sendMail({
          to: { name: "", address: to },
          from: options.from,
          subject,
          text,
        });
      } catch (cause) {
        throw new MailFailed("The mail server did not take the message.", { cause });
      }
    },
  };
}

async function openTransport({ url, requireTls }: SmtpMailerOptions): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  return createTransport({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: requireTls && !secure,
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    // A message is text: nothing in it may make the mailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
