import type { MailConfig } from "../config/config.ts";
import { createHttpMailer } from "./http-mailer.ts";
import { type Mailer, MailFailed } from "./mailer.ts";

/** The parts of the transports that a runtime supplies. */
interface MailParts {
  fetch: typeof fetch;
  /** Writes a line of the `log` transport. */
  writeLine(line: string): void;
  /** Missing on Workers, whose configuration refuses `smtp`. */
  createSmtpMailer?(options: { url: string; from: string }): Mailer;
}

/** The configured transport. */
export function createMailer(config: MailConfig, parts: MailParts): Mailer {
  switch (config.kind) {
    case "log":
      return createLogMailer(parts.writeLine);
    case "http":
      return createHttpMailer({ ...config, fetch: parts.fetch });
    case "smtp":
      return parts.createSmtpMailer?.(config) ?? unavailable("SMTP works only on Node.");
    case "none":
      return unavailable("No mail transport is configured.");
  }
}

function unavailable(reason: string): Mailer {
  return {
    async send() {
      throw new MailFailed(reason);
    },
  };
}

/**
 * Mail for development: one JSON line with the whole message, codes included. The configuration refuses it in staging and
 * production.
 */
function createLogMailer(write: (line: string) => void): Mailer {
  return {
    async send({ to, subject, text }) {
      write(JSON.stringify({ mail: { to, subject, text } }));
    },
  };
}
