/** A message in plain text and in HTML, which say the same. Codes are never in the subject: locked screens show it. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** A message without it is plain text alone. */
  html?: string | undefined;
  /** The code in it, for the mailbox of development. Transports do not read it. */
  code?: string | undefined;
}

/** A mail transport. */
export interface Mailer {
  /** @throws MailFailed if the service did not accept the message in time. The error never contains the message. */
  send(mail: Mail): Promise<void>;
}

/** A message that was not accepted. */
export class MailFailed extends Error {
  override name = "MailFailed";
}
