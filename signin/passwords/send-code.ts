import { toBase64Url } from "../../shared/bytes.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import {
  EMAIL_CODE_ID_BYTES,
  EMAIL_CODE_LIFETIME_SEC,
  EMAIL_CODE_MAC_BYTES,
  type RateLimitBucket,
} from "../limits.ts";
import type { EmailAddress } from "../mail/email-address.ts";
import type { Mail } from "../mail/mailer.ts";
import { type MailDeps, sendMail } from "../mail/send-mail.ts";
import { countRequest, type GuardDeps, toAsker } from "../rate-limits/guard.ts";
import { type AskLimits, decideAsk } from "./code-economy.ts";
import { insertCode, joinCode } from "./code-store.ts";
import { type CodePurpose, createCode, macOfCode } from "./codes.ts";
import { isKnownNetwork } from "./known-network.ts";
import { accountExistsMail, resetCodeMail, signupCodeMail } from "./mails.ts";
import { findUserByEmail } from "./store.ts";

type SendDeps = GuardDeps & MailDeps & Pick<Scope, "db" | "clock" | "random" | "background">;

/**
 * Mails a code, within the limits. The response is always the same: the account is read after it, and a request over the
 * limit gets it, too.
 * @throws SigninError `mail_unavailable` where no mail can be sent at all.
 */
export async function requestCode(
  deps: SendDeps,
  { purpose, email }: { purpose: CodePurpose; email: EmailAddress },
): Promise<void> {
  if (deps.config.mail.kind === "none") throw failure("mail_unavailable");
  switch (decideAsk(await countAsk(deps, purpose, email))) {
    case "mail":
      return deps.background(
        purpose === "signup" ? sendSignup(deps, email) : sendReset(deps, email),
      );
    case "join":
      return deps.background(join(deps, { purpose, emailNorm: email.norm }));
    case "none":
  }
}

/** Counts a request. After a refusal the later limits are not counted: strangers must not use them up. */
async function countAsk(
  deps: SendDeps,
  purpose: CodePurpose,
  email: EmailAddress,
): Promise<AskLimits> {
  const value = `${purpose} ${email.norm}`;
  const count = async (bucket: RateLimitBucket) => (await countRequest(deps, bucket, value)).ok;
  const within = { client: false, minute: false, share: false, repeats: false, everywhere: false };
  within.client =
    (await countRequest(deps, "codePerIp")).ok && (await countRequest(deps, "codePerNetwork")).ok;
  if (!within.client) return within;
  within.minute = await count("codePerEmailMinute");
  within.share = await count("codePerEmailAndNetwork");
  if (within.minute) {
    within.repeats = (await count("codePerEmailHour")) && (await count("codePerEmailDay"));
  }
  if (!within.share && !within.repeats) return within;
  within.everywhere =
    (await count("codePerEmailDayEverywhere")) || (await isKnownNetwork(deps, email));
  return within;
}

async function sendSignup(deps: SendDeps, email: EmailAddress): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  const key = { purpose: "signup", emailNorm: email.norm } as const;
  const code = await storeCode(deps, key, { isGood: !user });
  const mail = user
    ? accountExistsMail(deps.config, user.email)
    : signupCodeMail(deps.config, email.email, code);
  await send(deps, mail, { type: "signup.code_sent", userId: user?.id });
}

async function sendReset(deps: SendDeps, email: EmailAddress): Promise<void> {
  const user = await findUserByEmail(deps.db, email);
  const key = { purpose: "reset", emailNorm: email.norm } as const;
  const code = await storeCode(deps, key, { isGood: user !== undefined });
  const type = "password.reset_code_sent";
  if (user) {
    // To the address of the account, never to the spelling of the request.
    return send(deps, resetCodeMail(deps.config, user.email, code), { type, userId: user.id });
  }
  // No account, no mail: otherwise anyone could send mail to any address. The writes are the same.
  deps.record({ type, outcome: "failure", detail: { reason: "no_account" } });
}

/** Without `isGood` the row matches no code. It is stored so that time and limits do not reveal whether an account exists. */
async function storeCode(
  deps: SendDeps,
  key: { purpose: CodePurpose; emailNorm: string },
  { isGood }: { isGood: boolean },
): Promise<string> {
  const { db, clock, random, keyring } = deps;
  const code = createCode(random);
  const [pepper] = await keyring.macs("email-code");
  if (!pepper) throw new RangeError("A code needs a key.");
  const now = unixNow(clock);
  const codeHmac = await macOfCode(pepper, { ...key, code });
  await insertCode(db, {
    ...key,
    id: toBase64Url(random(EMAIL_CODE_ID_BYTES)),
    asker: await toAsker(deps),
    codeHmac: isGood ? codeHmac : toBase64Url(random(EMAIL_CODE_MAC_BYTES)),
    now,
    expiresAt: now + EMAIL_CODE_LIFETIME_SEC,
  });
  return code;
}

async function join(
  deps: SendDeps,
  key: { purpose: CodePurpose; emailNorm: string },
): Promise<void> {
  const { db, clock, random } = deps;
  const id = toBase64Url(random(EMAIL_CODE_ID_BYTES));
  await joinCode(db, { ...key, id, asker: await toAsker(deps), now: unixNow(clock) });
}

async function send(
  deps: SendDeps,
  mail: Mail,
  event: { type: "signup.code_sent" | "password.reset_code_sent"; userId: string | undefined },
): Promise<void> {
  const isSent = await sendMail(deps, mail, { name: event.type, userId: event.userId });
  if (isSent) deps.record({ ...event, outcome: "success" });
}
