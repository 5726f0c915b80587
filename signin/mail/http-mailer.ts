import { readBytes } from "../../shared/http/json-body.ts";
import type { MailHttpFormat } from "../config/variables.ts";
import { MAIL_ANSWER_BYTES_MAX, MAIL_TIMEOUT_MS } from "../limits.ts";
import { HTTP_FORMATS } from "./http-formats.ts";
import { type Mailer, MailFailed } from "./mailer.ts";

/** A mail service with an HTTP interface. */
interface HttpMailerOptions {
  url: string;
  format: MailHttpFormat;
  from: string;
  token?: string | undefined;
  fetch: typeof fetch;
}

/** Posts the message in the service's format; any 2xx means accepted. Works on both runtimes. */
export function createHttpMailer(options: HttpMailerOptions): Mailer {
  const { url, from, token, fetch } = options;
  const format = HTTP_FORMATS[options.format];
  return {
    async send(mail) {
      const body = format.toBody({ ...mail, from });
      const headers = new Headers();
      if (typeof body === "string") headers.set("Content-Type", "application/json");
      if (token !== undefined) headers.set(...format.authorize(token));
      let response: Response;
      try {
        response = await fetch(url, {
          method: "POST",
          headers,
          body,
          // A redirect would send the code and the token to another server. workerd has no "error" mode.
          redirect: "manual",
          signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
        });
      } catch (cause) {
        throw new MailFailed("The mail service could not be reached.", { cause });
      }
      // A connection can be reused once its response is read. The status decides; a broken body does not matter.
      await readBytes(response, MAIL_ANSWER_BYTES_MAX).catch(() => {});
      if (!response.ok)
        throw new MailFailed(`The mail service responded with status ${response.status}.`);
    },
  };
}
