import { equalsConstantTime } from "../../shared/constant-time.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { invalidCode } from "../errors.ts";
import { clearCount, type GuardDeps, requireWithinLimit } from "../rate-limits/guard.ts";
import { type CodeKey, consumeCode, countAttempt } from "./code-store.ts";
import { macOfCode } from "./codes.ts";

type ProveDeps = GuardDeps & Pick<Scope, "db" | "clock">;

/** A code that was right, and is not spent yet. */
export interface ProvenCode {
  /** Spends it. @throws SigninError `invalid_code` where somebody else was faster. */
  consume(): Promise<void>;
}

/**
 * Compares a code with the one that was mailed, at most five times for each. The attempt is counted before anything is
 * compared, so guesses that arrive together get no further than guesses that arrive in turn.
 * @throws SigninError `invalid_code`, `rate_limited`
 */
export async function proveCode(
  deps: ProveDeps,
  { code, ...key }: CodeKey & { code: string },
): Promise<ProvenCode> {
  const { db, clock, keyring } = deps;
  const counted = `${key.purpose} ${key.emailNorm}`;
  await requireWithinLimit(deps, "codeAttemptsPerEmail", counted);
  // One for each signing key: a code outlives the rotation of the key.
  const peppers = await keyring.macKeys("email-code");
  const given = await Promise.all(peppers.map((pepper) => macOfCode(pepper, { ...key, code })));
  const stored = await countAttempt(db, { ...key, now: unixNow(clock) });
  if (!stored || !given.some((mac) => equalsConstantTime(mac, stored.codeHmac)))
    throw invalidCode();
  return {
    async consume() {
      if (!(await consumeCode(db, { id: stored.id, now: unixNow(clock) }))) throw invalidCode();
      // Or the wait that a guesser is told would show that somebody entered a code today.
      await clearCount(deps, "codeAttemptsPerEmail", counted);
    },
  };
}
