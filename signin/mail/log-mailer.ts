import type { Mailer } from "./mailer.ts";

/**
 * Mail for development: one JSON line with the whole message, codes included. The configuration refuses it in staging and
 * production.
 */
export function createLogMailer(write: (line: string) => void): Mailer {
  return {
    async send({ to, subject, text }) {
      write(JSON.stringify({ mail: { to, subject, text } }));
    },
  };
}
