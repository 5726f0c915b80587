import { logEvent } from "../audit/log-event.ts";
import type { Scope } from "../deps.ts";
import { composeMail, type MailOrder } from "./compose-mail.ts";

export type MailDeps = Pick<Scope, "mailer" | "record" | "client" | "log" | "config">;

/**
 * Writes a mail in the language of the request, sends it, and returns whether it was accepted. A failure is logged, and recorded
 * under `name`. A server without a transport sends nothing.
 */
export async function sendMail(
  { mailer, record, client, log, config }: MailDeps,
  order: Omit<MailOrder, "language">,
  { name, userId }: { name: string; userId: string | undefined },
): Promise<boolean> {
  if (config.mail.kind === "none") return false;
  const mail = composeMail(config, { ...order, language: client.language });
  try {
    await mailer.send(mail);
    const detail = { mail: name };
    logEvent(log, { type: "mail.sent", outcome: "success", userId, client, detail });
    return true;
  } catch (error) {
    log.error({ error, request_id: client.requestId }, "A mail could not be sent.");
    record({ type: "mail.failed", outcome: "failure", userId, detail: { mail: name } });
    return false;
  }
}
