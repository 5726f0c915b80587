import { randomToken } from "../../../shared/random.ts";
import { type FakeServer, startFakeServer } from "../http/fake-server.ts";

/** A mail as the sign-in server handed it over. */
export interface Mail {
  to: string;
  from: string;
  subject: string;
  text: string;
}

/** A mail service over HTTP. */
export interface Mailbox extends FakeServer {
  token: string;
  mails: Mail[];
  /** The first mail of this kind; waits for it. */
  until(isMeant: (mail: Mail) => boolean): Promise<Mail>;
  /** Whether it refuses each message with 503. */
  refuses: boolean;
  /** The newest code that was sent to an address; waits for it. */
  codeFor(address: string): Promise<string>;
}

export async function startMailbox(secrets: Set<string>): Promise<Mailbox> {
  const token = randomToken();
  const mails: Mail[] = [];
  let arrived = Promise.withResolvers<void>();
  const taken = new Map<string, number>();
  const server = await startFakeServer(() => async (request, { body }) => {
    if (request.headers.get("authorization") !== `Bearer ${token}`) {
      return new Response(null, { status: 401 });
    }
    if (mailbox.refuses) return new Response(null, { status: 503 });
    const mail: Mail = JSON.parse(body);
    mails.push(mail);
    for (const [code] of mail.text.matchAll(/\b\d{8}\b/g)) secrets.add(code);
    arrived.resolve();
    arrived = Promise.withResolvers();
    return new Response(null, { status: 202 });
  });
  const mailbox = Object.assign(server, {
    refuses: false,
    token,
    mails,
    async until(isMeant: (mail: Mail) => boolean): Promise<Mail> {
      for (;;) {
        const found = mails.find(isMeant);
        if (found) return found;
        await arrived.promise;
      }
    },
    async codeFor(address: string): Promise<string> {
      for (;;) {
        const from = taken.get(address) ?? 0;
        const at = mails.findLastIndex(({ to }, index) => to === address && index >= from);
        const code = /\b\d{8}\b/.exec(mails[at]?.text ?? "")?.[0];
        if (code) {
          taken.set(address, at + 1);
          return code;
        }
        await arrived.promise;
      }
    },
  });
  return mailbox;
}
