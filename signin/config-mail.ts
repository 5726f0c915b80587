import type { Complain, MailConfig, Rim, Variables } from "./config.ts";
import { parseProviderUrl } from "./config-addresses.ts";

/** `MAIL_TRANSPORT` and what belongs to it. */
export function parseMail(
  variables: Variables,
  { strict, rim }: { strict: boolean; rim: Rim },
  complain: Complain,
): MailConfig {
  const transport = variables.MAIL_TRANSPORT ?? (strict ? "none" : "log");
  const from = variables.MAIL_FROM ?? "signin@localhost";
  if (strict && (transport === "http" || transport === "smtp") && !variables.MAIL_FROM) {
    complain("MAIL_FROM", "must be set: it is the sender of every mail.");
  }
  if (/[\r\n]/.test(from)) complain("MAIL_FROM", "must be one line.");
  if (transport === "none" && variables.MAIL_TRANSPORT === undefined) return { kind: "none" };
  if (transport === "log") {
    if (strict)
      complain("MAIL_TRANSPORT", "`log` shows codes in the log: not in staging or production.");
    return { kind: "log", from };
  }
  if (transport === "http") {
    const url = parseProviderUrl(variables, "MAIL_HTTP_URL", strict, complain);
    if (!url) complain("MAIL_HTTP_URL", "must be set where MAIL_TRANSPORT is http.");
    return { kind: "http", from, url: url ?? "", token: variables.MAIL_HTTP_TOKEN };
  }
  if (transport === "smtp") {
    const url = variables.MAIL_SMTP_URL ?? "";
    if (rim === "workers") complain("MAIL_TRANSPORT", "`smtp` works on Node only; use http.");
    if (!/^smtps?:\/\/[^/]/.test(url))
      complain("MAIL_SMTP_URL", "must be an smtp:// or smtps:// URL.");
    return { kind: "smtp", from, url };
  }
  complain("MAIL_TRANSPORT", "must be log, http or smtp.");
  return { kind: "none" };
}
