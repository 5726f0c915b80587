import { toBase64Url } from "../../shared/bytes.ts";
import type { EmailAddress } from "../accounts/email.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { mailUnavailable } from "../errors.ts";
import { EMAIL_CODE_ID_BYTES, EMAIL_CODE_LIFETIME_SEC, type RateLimitBucket } from "../limits.ts";
import type { Mail } from "../mail/mailer.ts";
import { countRequest, type GuardDeps } from "../rate-limits/guard.ts";
import { insertCode } from "./code-store.ts";
import { type CodePurpose, createCode, macOfCode } from "./codes.ts";
import { accountExistsMail, resetCodeMail, signupCodeMail } from "./mails.ts";
import { findUserByEmail } from "./store.ts";

type SendDeps = GuardDeps &
  Pick<Scope, "db" | "clock" | "random" | "log" | "mailer" | "background">;

const EMAIL_BUCKETS = [
  "codePerEmailMinute",
  "codePerEmailHour",
  "codePerEmailDay",
] as const satisfies RateLimitBucket[];

/**
 * Mails a code, where one may be mailed. The caller learns nothing: everything that depends on the account happens after
 * the answer, and a request over the limit is answered like any other.
 * @throws SigninError `mail_unavailable` where no mail can be sent at all.
 */
export async function requestCode(
  deps: SendDeps,
  { purpose, email }: { purpose: CodePurpose; email: EmailAddress },
): Promise<void> {
  if (deps.config.mail.kind === "none") throw mailUnavailable();
  if (!(await isWithinLimits(deps, `${purpose} ${email.norm}`))) return;
  deps.background(purpose === "signup" ? sendSignup(deps, email) : sendReset(deps, email));
}

async function isWithinLimits(deps: SendDeps, value: string): Promise<boolean> {
  if (!(await countRequest(deps, "codePerIp")).ok) return false;
  for (const bucket of EMAIL_BUCKETS) {
    if (!(await countRequest(deps, bucket, value)).ok) return false;
  }
  return true;
}

async function sendSignup(deps: SendDeps, { email, norm: emailNorm }: EmailAddress): Promise<void> {
  const user = await findUserByEmail(deps.db, emailNorm);
  const mail = user
    ? accountExistsMail(deps.config, user.email)
    : signupCodeMail(deps.config, email, await storeCode(deps, { purpose: "signup", emailNorm }));
  await send(deps, mail, { type: "signup.code_sent", userId: user?.id });
}

async function sendReset(deps: SendDeps, { norm: emailNorm }: EmailAddress): Promise<void> {
  const user = await findUserByEmail(deps.db, emailNorm);
  // Who has no account gets no mail: this must not be a way to fill the boxes of strangers.
  if (!user) return;
  const code = await storeCode(deps, { purpose: "reset", emailNorm });
  // To the address that the account has, never to the spelling that was asked for.
  const mail = resetCodeMail(deps.config, user.email, code);
  await send(deps, mail, { type: "password.reset_code_sent", userId: user.id });
}

async function storeCode(
  { db, clock, random, keyring }: SendDeps,
  key: { purpose: CodePurpose; emailNorm: string },
): Promise<string> {
  const code = createCode(random);
  const [pepper] = await keyring.macKeys("email-code");
  if (!pepper) throw new RangeError("A code needs a key.");
  const now = unixNow(clock);
  const codeHmac = await macOfCode(pepper, { ...key, code });
  const id = toBase64Url(random(EMAIL_CODE_ID_BYTES));
  await insertCode(db, { ...key, id, codeHmac, now, expiresAt: now + EMAIL_CODE_LIFETIME_SEC });
  return code;
}

async function send(
  { mailer, audit, client, log }: SendDeps,
  mail: Mail,
  event: { type: "signup.code_sent" | "password.reset_code_sent"; userId: string | undefined },
): Promise<void> {
  try {
    await mailer.send(mail);
    await audit.record({ ...event, outcome: "success", client });
  } catch (error) {
    log.error({ error, request_id: client.requestId }, "A mail could not be sent.");
    const detail = { mail: event.type };
    await audit.record({
      type: "mail.failed",
      outcome: "failure",
      userId: event.userId,
      client,
      detail,
    });
  }
}
