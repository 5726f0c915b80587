import { logEvent } from "../audit/log-event.ts";
import type { Scope } from "../deps.ts";
import type { Mail } from "./mailer.ts";

export type MailDeps = Pick<Scope, "mailer" | "record" | "client" | "log">;

/** Sends a mail, and returns whether it was accepted. A failure is logged, and recorded under `name`. */
export async function sendMail(
  { mailer, record, client, log }: MailDeps,
  mail: Mail,
  { name, userId }: { name: string; userId: string | undefined },
): Promise<boolean> {
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
