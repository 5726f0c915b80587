/** A message in plain text. Codes are in `text` alone: locked screens show the subject. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** A mail transport. */
export interface Mailer {
  /** @throws MailFailed where the message was not accepted in time. The error never contains the message. */
  send(mail: Mail): Promise<void>;
}

/** A message that was not accepted. */
export class MailFailed extends Error {
  override name = "MailFailed";
}
