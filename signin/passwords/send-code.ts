import { toBase64Url } from "../../shared/bytes.ts";
import { describeEvent } from "../accounts/notice.ts";
import type { AuditType } from "../audit/audit.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { CODE_DELAY_MS_MAX, EMAIL_CODE_ID_BYTES } from "../limits.ts";
import { composeMail } from "../mail/compose-mail.ts";
import type { EmailAddress } from "../mail/email-address.ts";
import type { MailKind } from "../mail/mail-kinds.ts";
import { type MailDeps, sendMail } from "../mail/send-mail.ts";
import { countRequest, type GuardDeps } from "../rate-limits/guard.ts";
import { deleteCode, insertCode } from "./code-store.ts";
import { type CodePurpose, createCode, createLongCode, macOfCode } from "./codes.ts";
import { findUserByEmail, getOwner } from "./store.ts";
import { type CodeSubject, toCodeKey } from "./verify-code.ts";

export type SendDeps = GuardDeps &
  MailDeps &
  Pick<Scope, "db" | "clock" | "random" | "background" | "pause">;

/** A request for a code. `owner` is the signed-in user whose account the code is for. */
interface CodeAsk {
  purpose: CodePurpose;
  /** The recipient. */
  email: EmailAddress;
  owner?: { id: string; email: string };
}

/**
 * Mails a code, within the limits. The response is always the same: everything that depends on the address happens after it, and
 * after a time by chance, so that later responses do not tell either. A request over the limit gets it, too.
 * @throws SigninError `mail_unavailable` if no mail can be sent at all.
 */
export async function requestCode(deps: SendDeps, ask: CodeAsk): Promise<void> {
  if (deps.config.mail.kind === "none") throw failure("mail_unavailable");
  if (!(await countRequest(deps, "codePerIp")).ok) return;
  deps.background(sendCode(deps, ask));
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

/** Whose codes they are. Strangers cannot ask for those of a signed-in user, which have counters of their own. */
function toSubject({ purpose, email, owner }: CodeAsk): CodeSubject {
  const isOwn = purpose !== "email" && owner !== undefined;
  return { purpose, subject: isOwn ? owner.id : email.norm };
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

/** What a request leads to: the mail, and whether its code is good. */
interface CodePlan {
  isGood: boolean;
  kind: MailKind;
  to: string;
  /** Whether the mail is sent: it is written in any case, so that the work is the same. */
  isSent: boolean;
  /** In whose trail it is. */
  userId: string | undefined;
}

async function sendCode(deps: SendDeps, ask: CodeAsk): Promise<void> {
  const [byte = 0] = deps.random(1);
  await deps.pause?.((byte / 255) * CODE_DELAY_MS_MAX);
  const { event: type } = SENT[ask.purpose];
  const { isGood, isSent, kind, to, userId } = await planMail(deps, ask);
  const made = await storeCode(deps, toSubject(ask), isGood);
  // The mailbox has a code that is good.
  if (!made) return;
  if (ask.purpose === "email") await warnOwner(deps, ask);
  const { id, ...facts } = made;
  if (!isSent) {
    composeMail(deps.config, { kind, to, facts, language: deps.client.language });
    deps.record({ type, outcome: "failure", detail: { reason: "no_account" } });
    return;
  }
  if (await sendMail(deps, { kind, to, facts }, { name: type, userId })) {
    deps.record({ type, outcome: "success", userId });
  } else await deleteCode(deps.db, id);
}

async function planMail(deps: SendDeps, { purpose, email, owner }: CodeAsk): Promise<CodePlan> {
  const { mail: kind } = SENT[purpose];
  // The same read for every purpose.
  const user = await findUserByEmail(deps.db, email);
  const plan = { isGood: true, isSent: true, kind, to: email.email, userId: owner?.id };
  switch (purpose) {
    case "signup":
      if (!user) return plan;
      return { ...plan, isGood: false, kind: "account_exists", to: user.email, userId: user.id };
    case "reset":
    case "login":
      // To the address of the account, never to the spelling of the request. No account, no mail: otherwise anyone could send
      // mail to any address. The writes are the same.
      if (!user) return { ...plan, isGood: false, isSent: false };
      return { ...plan, to: user.email, userId: user.id };
    case "email":
      // The owner of a taken address learns of it, and the one who asks does not: the event is in the asker's own trail.
      if (!user || user.id === owner?.id) return plan;
      return { ...plan, isGood: false, kind: "email_taken", to: user.email };
    case "password":
    case "delete":
    case "reauthenticate":
      return plan;
  }
}

/** The present mailbox gets a notice when a code goes to another one. */
async function warnOwner(deps: SendDeps, { owner }: CodeAsk): Promise<void> {
  if (!owner) return;
  const kind = "email_requested";
  const facts = { event: describeEvent(deps, kind) };
  const cause = { name: `notice.${kind}`, userId: owner.id };
  await sendMail(deps, { kind, to: owner.email, facts }, cause);
}

/** Stores a code of the form that is due; undefined if the mailbox has one. */
async function storeCode(
  deps: SendDeps,
  given: CodeSubject,
  isGood: boolean,
): Promise<{ id: string; code: string; isLongCode: boolean } | undefined> {
  const { db, clock, random, keyring } = deps;
  const [pepper] = await keyring.macs("email-code");
  if (!pepper) throw new RangeError("A code needs a key.");
  const codes = { short: createCode(random), long: createLongCode(random) };
  const [shortMac, longMac] = await Promise.all([
    macOfCode(pepper, { ...given, code: codes.short }),
    macOfCode(pepper, { ...given, code: codes.long }),
  ]);
  const id = toBase64Url(random(EMAIL_CODE_ID_BYTES));
  const made = { id, isGood, shortMac, longMac, now: unixNow(clock) };
  const form = await insertCode(db, await toCodeKey(deps, given), made);
  return form && { id, code: codes[form], isLongCode: form === "long" };
}
