import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { counterKeyOf, type GuardDeps, requireWithinLimit } from "../rate-limits/guard.ts";
import { type CodeKey, findCode } from "./code-store.ts";
import { type CodePurpose, isLongCode, macOfCode } from "./codes.ts";

type VerifyDeps = GuardDeps & Pick<Scope, "db" | "clock">;

/** What a code is for, and whose it is: of an address, or of an account by its id. */
export interface CodeSubject {
  purpose: CodePurpose;
  subject: string;
}

/**
 * The id of the mailed code that was entered. The change that it allows consumes it, in a batch of its own.
 * @throws SigninError `invalid_code`, `rate_limited`
 */
export async function verifyCode(
  deps: VerifyDeps,
  { code, ...given }: CodeSubject & { code: string },
): Promise<string> {
  const { db, clock, keyring } = deps;
  await requireWithinLimit(deps, "codeCompletePerIp");
  // One for each signing key: codes stay valid during a rotation.
  const peppers = await keyring.macs("email-code");
  const codeMacs = await Promise.all(peppers.map((mac) => macOfCode(mac, { ...given, code })));
  const guess = { codeMacs, isLong: isLongCode(code), now: unixNow(clock) };
  const id = await findCode(db, await toCodeKey(deps, given), guess);
  if (id === undefined) throw failure("invalid_code");
  return id;
}

/** With the names of the counters of the day. A new address of an account is stored as a pseudonym: it may be of a stranger. */
export async function toCodeKey(
  deps: Pick<GuardDeps, "keyring">,
  { purpose, subject }: CodeSubject,
): Promise<CodeKey> {
  const [stored, mails, guesses] = await Promise.all([
    purpose === "email" ? counterKeyOf(deps, "newEmail", subject) : subject,
    counterKeyOf(deps, "codeMails", subject),
    counterKeyOf(deps, "codeGuesses", subject),
  ]);
  return { purpose, subject: stored, mails, guesses };
}
