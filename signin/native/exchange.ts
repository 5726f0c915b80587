import { sha256, toBase64Url } from "../../shared/bytes.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { NATIVE_CODE_LIFETIME_SEC } from "../limits.ts";
import { type IssueDeps, prepareSession } from "../tokens/issue-session.ts";
import { revokeSessions } from "../tokens/session-store.ts";
import type { TokenAnswer } from "../tokens/wire.ts";
import {
  boughtByCode,
  consumeNativeCodeStatement,
  findNativeCodeOwner,
  findSpentCodeSession,
  insertNativeCode,
} from "./code-store.ts";
import { toChallenge } from "./pkce.ts";
import type { NativeToken } from "./wire.ts";

const CODE_BYTES = 32;

/** Makes the one-time code that the loopback address gets. Only its hash is kept. */
export async function issueNativeCode(
  deps: Pick<Scope, "db" | "clock" | "random" | "record">,
  { userId, codeChallenge }: { userId: string; codeChallenge: string },
): Promise<string> {
  const { db, clock, random, record } = deps;
  const code = toBase64Url(random(CODE_BYTES));
  await insertNativeCode(db, {
    codeHash: toBase64Url(await sha256(code)),
    userId,
    codeChallenge,
    expiresAt: unixNow(clock) + NATIVE_CODE_LIFETIME_SEC,
  });
  record({ type: "native.code_issued", outcome: "success", userId });
  return code;
}

/**
 * Trades a code and its verifier for a session. The first try spends the code, whatever the verifier; a later one ends the
 * session that the first one bought, for two parties have the code. All refusals look the same.
 * @throws SigninError `invalid_grant`
 */
export async function exchangeNativeCode(
  deps: IssueDeps,
  { code, code_verifier: verifier }: NativeToken,
): Promise<TokenAnswer> {
  const { db, clock, record } = deps;
  const codeHash = toBase64Url(await sha256(code));
  const challenge = await toChallenge(verifier);
  const userId = await findNativeCodeOwner(db, codeHash);
  if (userId === undefined) throw failure("invalid_grant", "unknown code");
  const now = unixNow(clock);
  const condition = boughtByCode(codeHash, challenge);
  const session = prepareSession(deps, { userId, kind: "native" }, condition);
  const consume = consumeNativeCodeStatement({ codeHash, sessionId: session.id, now });
  // One batch: a crash cannot spend the code and keep the session back, and a replay always finds the session.
  const results = await db.$client.batch([consume, ...session.statements], "write");
  const [consumed, inserted] = results;
  if (inserted?.rows.length) {
    const event = { type: "native.exchanged", outcome: "success" } as const;
    record({ ...event, userId, sessionId: session.id });
    return session.toAnswer(results);
  }
  const reason = consumed?.rows.length ? "verifier" : "spent or expired";
  if (!consumed?.rows.length) await revokeBought(deps, codeHash, now);
  const rejected = { type: "native.rejected", outcome: "failure" } as const;
  record({ ...rejected, userId, detail: { reason } });
  throw failure("invalid_grant", reason);
}

async function revokeBought({ db }: IssueDeps, codeHash: string, now: number): Promise<void> {
  const id = await findSpentCodeSession(db, codeHash);
  if (id !== undefined) await revokeSessions(db, { id }, { reason: "replay", now });
}
