import { toBase64Url } from "../../shared/bytes.ts";
import { describeEvent } from "../accounts/notice.ts";
import type { AuditType } from "../audit/audit.ts";
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
import type { MailKind } from "../mail/mail-kinds.ts";
import { type MailDeps, sendMail } from "../mail/send-mail.ts";
import { countRequest, type GuardDeps, toAsker } from "../rate-limits/guard.ts";
import { type AskLimits, decideAsk } from "./code-economy.ts";
import { type CodeKey, insertCode, joinCode } from "./code-store.ts";
import { type CodePurpose, createCode, macOfCode } from "./codes.ts";
import { isKnownNetwork } from "./known-network.ts";
import { findUserByEmail, getOwner } from "./store.ts";

export type SendDeps = GuardDeps & MailDeps & Pick<Scope, "db" | "clock" | "random" | "background">;

/** A request for a code. `owner` is the signed-in user whose account the code is for. */
interface CodeAsk {
  purpose: CodePurpose;
  /** The recipient. */
  email: EmailAddress;
  owner?: { id: string; email: string };
}

/**
 * Mails a code, within the limits. The response is always the same: the account is read after it, and a request over the
 * limit gets it, too.
 * @throws SigninError `mail_unavailable` where no mail can be sent at all.
 */
export async function requestCode(deps: SendDeps, ask: CodeAsk): Promise<void> {
  if (deps.config.mail.kind === "none") throw failure("mail_unavailable");
  switch (decideAsk(await countAsk(deps, ask))) {
    case "mail":
      return deps.background(sendCode(deps, ask));
    case "join":
      return deps.background(join(deps, toCodeKey(ask)));
    case "none":
  }
}

/** Mails a code to the address of a signed-in user's own account. @throws SigninError `session_expired`, `mail_unavailable` */
export async function requestOwnCode(
  deps: SendDeps,
  { purpose, userId }: { purpose: "password" | "delete" | "reauthenticate"; userId: string },
): Promise<void> {
  const owner = await getOwner(deps.db, userId);
  const email = { email: owner.email, norm: owner.emailNorm };
  await requestCode(deps, { purpose, email, owner });
}

/** Counts a request. After a refusal the later limits are not counted: strangers must not use them up. */
async function countAsk(deps: SendDeps, { purpose, email }: CodeAsk): Promise<AskLimits> {
  const value = `${purpose} ${email.norm}`;
  const count = async (bucket: RateLimitBucket) => (await countRequest(deps, bucket, value)).ok;
  const countRepeats = async () =>
    (await count("codePerEmailHour")) && (await count("codePerEmailDay"));
  const within = { client: false, minute: false, share: false, repeats: false, everywhere: false };
  within.client =
    (await countRequest(deps, "codePerIp")).ok && (await countRequest(deps, "codePerNetwork")).ok;
  if (!within.client) return within;
  within.share = await count("codePerEmailAndNetwork");
  if (!within.share) within.repeats = await countRepeats();
  if (!within.share && !within.repeats) return within;
  within.everywhere =
    (await count("codePerEmailDayEverywhere")) || (await isKnownNetwork(deps, email));
  if (!within.everywhere) return within;
  // The last one: a request that mails nothing must not hold off one that would.
  within.minute = await count("codePerEmailMinute");
  if (within.minute && within.share) within.repeats = await countRepeats();
  return within;
}

/** Where the codes of a request are kept. Those of a signed-in user are its own: no other account has attempts at them. */
function toCodeKey({ purpose, email, owner }: CodeAsk): CodeKey {
  if (!owner) return { purpose, emailNorm: email.norm };
  const address = purpose === "email" ? email.norm : undefined;
  return { purpose, emailNorm: owner.id, address };
}

const SENT: Record<CodePurpose, { event: AuditType; mail: MailKind }> = {
  signup: { event: "signup.code_sent", mail: "signup_code" },
  reset: { event: "password.reset_code_sent", mail: "reset_code" },
  login: { event: "login.code_sent", mail: "login_code" },
  password: { event: "password.code_sent", mail: "password_code" },
  email: { event: "email.code_sent", mail: "email_code" },
  delete: { event: "account.delete_code_sent", mail: "delete_code" },
  reauthenticate: { event: "session.code_sent", mail: "reauthentication_code" },
};

/** What a request leads to: whether its code is good, and the mail. */
interface CodePlan {
  isGood: boolean;
  mail: { kind: MailKind; to: string } | undefined;
  userId: string | undefined;
}

async function sendCode(deps: SendDeps, ask: CodeAsk): Promise<void> {
  const { event: type } = SENT[ask.purpose];
  const { isGood, mail, userId } = await planMail(deps, ask);
  const code = await storeCode(deps, toCodeKey(ask), { isGood });
  if (ask.purpose === "email") await warnOwner(deps, ask);
  if (!mail) {
    deps.record({ type, outcome: "failure", detail: { reason: "no_account" } });
    return;
  }
  const isSent = await sendMail(deps, { ...mail, facts: { code } }, { name: type, userId });
  if (isSent) deps.record({ type, outcome: "success", userId });
}

async function planMail(deps: SendDeps, { purpose, email, owner }: CodeAsk): Promise<CodePlan> {
  const { mail: kind } = SENT[purpose];
  // The same read for every purpose.
  const user = await findUserByEmail(deps.db, email);
  switch (purpose) {
    case "signup":
      return user
        ? { isGood: false, mail: { kind: "account_exists", to: user.email }, userId: user.id }
        : { isGood: true, mail: { kind, to: email.email }, userId: undefined };
    case "reset":
    case "login":
      // To the address of the account, never to the spelling of the request. No account, no mail: otherwise anyone could send
      // mail to any address. The writes are the same.
      return {
        isGood: user !== undefined,
        mail: user && { kind, to: user.email },
        userId: user?.id,
      };
    case "email":
      // The owner of a taken address learns of it, and the one who asks does not.
      return user && user.id !== owner?.id
        ? { isGood: false, mail: { kind: "email_taken", to: user.email }, userId: user.id }
        : { isGood: true, mail: { kind, to: email.email }, userId: owner?.id };
    case "password":
    case "delete":
    case "reauthenticate":
      return { isGood: true, mail: { kind, to: email.email }, userId: owner?.id };
  }
}

/** The present mailbox gets a notice when a code goes to another one. */
async function warnOwner(deps: SendDeps, { owner }: CodeAsk): Promise<void> {
  if (!owner) return;
  const kind = "email_requested";
  if (!(await countRequest(deps, "noticePerUser", `${owner.id} ${kind}`)).ok) return;
  const facts = { event: describeEvent(deps, kind) };
  const cause = { name: `notice.${kind}`, userId: owner.id };
  await sendMail(deps, { kind, to: owner.email, facts }, cause);
}

/** Without `isGood` the row matches no code. It is stored so that time and limits do not reveal whether an account exists. */
async function storeCode(
  deps: SendDeps,
  key: CodeKey,
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

async function join(deps: SendDeps, key: CodeKey): Promise<void> {
  const { db, clock, random } = deps;
  const { purpose, emailNorm } = key;
  const id = toBase64Url(random(EMAIL_CODE_ID_BYTES));
  await joinCode(db, { purpose, emailNorm, id, asker: await toAsker(deps), now: unixNow(clock) });
}
