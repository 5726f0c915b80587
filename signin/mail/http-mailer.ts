import { MAIL_ANSWER_BYTES_MAX, MAIL_TIMEOUT_MS } from "../limits.ts";
import { type Mailer, MailFailed } from "./mailer.ts";

/** A mail service with an HTTP interface. */
export interface HttpMailerOptions {
  url: string;
  from: string;
  token?: string | undefined;
  fetch: typeof fetch;
}

/** Posts `{to, from, subject, text}` as JSON; any 2xx means accepted. Works on both runtimes. */
export function createHttpMailer({ url, from, token, fetch }: HttpMailerOptions): Mailer {
  const headers = new Headers({ "Content-Type": "application/json" });
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  return {
    async send({ to, subject, text }) {
      let response: Response;
      try {
        response = await fetch(url, {
          method: "POST",
          headers,
          body: JSON.stringify({ to, from, subject, text }),
          // A redirect would send the code and the token to another server. workerd has no "error" mode.
          redirect: "manual",
          signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
        });
      } catch (cause) {
        throw new MailFailed("The mail service could not be reached.", { cause });
      }
      await drain(response);
      if (!response.ok) throw new MailFailed(`The mail service answered ${response.status}.`);
    },
  };
}

// A connection can be reused once its response is read. A response that is too long is dropped.
async function drain(response: Response): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAIL_ANSWER_BYTES_MAX) return;
    }
  } catch {
    // The status decides; a broken body does not matter.
  }
}
