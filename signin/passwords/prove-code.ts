import { equalsConstantTime } from "../../shared/constant-time.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { clearCount, type GuardDeps, requireWithinLimit, toAsker } from "../rate-limits/guard.ts";
import { decideBudget } from "./code-economy.ts";
import {
  type CodeKey,
  consumeCode,
  countAttempt,
  listPendingCodes,
  type StoredCode,
} from "./code-store.ts";
import { macOfCode } from "./codes.ts";

type ProveDeps = GuardDeps & Pick<Scope, "db" | "clock">;

/** A correct code that is not consumed yet. */
interface ProvenCode {
  id: string;
  /** @throws SigninError `invalid_code` where a parallel request consumed it first. */
  consume(): Promise<void>;
  /** For a caller whose own batch consumed it: resets the count of wrong attempts. */
  settle(): Promise<void>;
}

/**
 * Compares a code with those that were mailed. The limits of the client come first. The attempt is counted before the
 * comparison, so that parallel guesses gain nothing.
 * @throws SigninError `invalid_code`, `rate_limited`
 */
export async function proveCode(
  deps: ProveDeps,
  { code, ...key }: CodeKey & { code: string },
): Promise<ProvenCode> {
  const { db, clock, keyring } = deps;
  await requireWithinLimit(deps, "codeCompletePerIp");
  await requireWithinLimit(deps, "codeCompletePerNetwork");
  const pending = await listPendingCodes(db, { ...key, now: unixNow(clock) });
  await countGuess(deps, key, pending);
  // One for each signing key: codes stay valid during a rotation.
  const peppers = await keyring.macs("email-code");
  const given = await Promise.all(peppers.map((pepper) => macOfCode(pepper, { ...key, code })));
  const proven = pending.filter(({ codeHmac }) =>
    given.some((mac) => equalsConstantTime(mac, codeHmac)),
  )[0];
  if (!proven) throw failure("invalid_code");
  const settle = () => clearCount(deps, "codeAttemptsPerEmailAndIp", countedAs(key));
  return {
    id: proven.id,
    async consume() {
      const spent = await consumeCode(db, { ...key, id: proven.id, now: unixNow(clock) });
      if (!spent) throw failure("invalid_code");
      await settle();
    },
    settle,
  };
}

/** Counts a guess against its budget. @throws SigninError `invalid_code`, `rate_limited` where no attempt is left */
async function countGuess(
  deps: ProveDeps,
  key: CodeKey,
  pending: readonly StoredCode[],
): Promise<void> {
  const asker = await toAsker(deps);
  const budget = decideBudget(pending, asker);
  if (budget === "client") throw failure("invalid_code");
  await requireWithinLimit(deps, "codeAttemptsPerEmailAndIp", countedAs(key));
  if (budget === "shared") {
    await requireWithinLimit(deps, "codeAttemptsPerEmail", countedAs(key));
  } else if (!(await countAttempt(deps.db, { ...key, asker, now: unixNow(deps.clock) }))) {
    throw failure("invalid_code");
  }
}

function countedAs({ purpose, emailNorm }: CodeKey): string {
  return `${purpose} ${emailNorm}`;
}
