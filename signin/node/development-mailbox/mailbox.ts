import type { Clock } from "../../../shared/clock.ts";
import { MAILBOX_CHARACTERS_MAX, MAILBOX_MAILS_MAX } from "../../limits.ts";
import type { Mail, Mailer } from "../../mail/mailer.ts";

/** A mail of this process, whether or not its transport took it. */
export interface KeptMail extends Mail {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  state: "sending" | "sent" | "failed";
}

/** The last mails of a process, in memory alone. */
export interface Mailbox {
  /** The newest first. */
  list(): readonly KeptMail[];
  find(id: string): KeptMail | undefined;
  /** The same transport, whose mails are kept. It changes no result and no error. */
  watch(mailer: Mailer): Mailer;
}

/** An empty mailbox. It drops its oldest mails if there are too many, or if they are too long together. */
export function createMailbox(clock: Clock): Mailbox {
  const mails: KeptMail[] = [];
  let lastId = 0;
  const keep = (mail: Mail): KeptMail => {
    lastId += 1;
    const kept: KeptMail = { ...mail, id: String(lastId), at: clock.now(), state: "sending" };
    mails.unshift(kept);
    mails.length = countFitting(mails);
    return kept;
  };
  return {
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    watch: (mailer) => ({
      async send(mail) {
        const kept = keep(mail);
        try {
          await mailer.send(mail);
          kept.state = "sent";
        } catch (error) {
          kept.state = "failed";
          throw error;
        }
      },
    }),
  };
}

/** How many of the mails, from the first on, are within both bounds. */
function countFitting(mails: readonly KeptMail[]): number {
  let characters = 0;
  const excess = mails.findIndex(({ to, subject, text, html = "" }, at) => {
    characters += to.length + subject.length + text.length + html.length;
    return at === MAILBOX_MAILS_MAX || characters > MAILBOX_CHARACTERS_MAX;
  });
  return excess < 0 ? mails.length : excess;
}
