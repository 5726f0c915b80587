/** A message to one person, plain text. `text` may carry a code; the subject never does: it shows on locked screens. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** The way out for mail. */
export interface Mailer {
  /** @throws MailFailed where the message was not accepted within its time. The error never carries the message. */
  send(mail: Mail): Promise<void>;
}

/** A message that did not go out. */
export class MailFailed extends Error {
  override name = "MailFailed";
}
