import type { SigninConfig } from "../config/config.ts";
import { createMailer } from "../mail/create-mailer.ts";
import type { Mailer } from "../mail/mailer.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

/** The mail transport of a configuration on Node. The `log` transport writes to standard output. */
export function createNodeMailer({ mail, env }: Pick<SigninConfig, "mail" | "env">): Mailer {
  const requireTls = requiresTls(env);
  return createMailer(mail, {
    fetch: globalThis.fetch,
    writeLine: (line) => process.stdout.write(line.endsWith("\n") ? line : `${line}\n`),
    createSmtpMailer: (options) => createSmtpMailer({ ...options, requireTls }),
  });
}

/** Whether a mail server elsewhere must speak TLS. */
export function requiresTls(env: SigninConfig["env"]): boolean {
  return env === "staging" || env === "production";
}
