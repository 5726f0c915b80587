import { utf8 } from "../../shared/bytes.ts";
import type { MailHttpFormat } from "../config/variables.ts";
import type { Mail } from "./mailer.ts";

/** A message with its sender, as `MAIL_FROM` has it. */
type OutgoingMail = Mail & { from: string };

/** What one mail service expects: where its token goes, and its form of a message. */
interface HttpFormat {
  authorize(token: string): [header: string, value: string];
  /** A text is JSON. `FormData` gets its content type from `fetch`. */
  toBody(mail: OutgoingMail): string | FormData;
}

/** The mail services by `MAIL_HTTP_FORMAT`. */
export const HTTP_FORMATS: Record<MailHttpFormat, HttpFormat> = {
  resend: {
    authorize: bearer,
    toBody: ({ to, from, subject, text, html }) =>
      JSON.stringify({ to, from, subject, text, html }),
  },
  postmark: {
    authorize: (token) => ["X-Postmark-Server-Token", token],
    toBody: ({ to, from, subject, text, html }) =>
      JSON.stringify({ From: from, To: to, Subject: subject, TextBody: text, HtmlBody: html }),
  },
  sendgrid: {
    authorize: bearer,
    toBody: ({ to, from, subject, text, html }) =>
      JSON.stringify({
        personalizations: [{ to: [{ email: to }] }],
        from: toSender(from),
        subject,
        content: [
          { type: "text/plain", value: text },
          ...(html === undefined ? [] : [{ type: "text/html", value: html }]),
        ],
      }),
  },
  mailgun: {
    authorize: (token) => ["Authorization", `Basic ${toBasic(`api:${token}`)}`],
    toBody({ to, from, subject, text, html }) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ from, to, subject, text, html })) {
        if (value !== undefined) form.set(name, value);
      }
      return form;
    },
  },
};

function bearer(token: string): [string, string] {
  return ["Authorization", `Bearer ${token}`];
}

function toBasic(pair: string): string {
  return btoa(String.fromCharCode(...utf8(pair)));
}

/** `Name <address>` in two fields: SendGrid reads no name out of an address. */
function toSender(from: string): { email: string; name?: string } {
  const start = from.lastIndexOf("<");
  if (start < 0 || !from.endsWith(">")) return { email: from };
  const email = from.slice(start + 1, -1).trim();
  const name = withoutQuotes(from.slice(0, start).trim());
  return name === "" ? { email } : { email, name };
}

function withoutQuotes(name: string): string {
  return /^".*"$/.test(name) ? name.slice(1, -1) : name;
}
