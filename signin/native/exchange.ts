import { Batch } from "../../shared/batch.ts";
import { sha256, toBase64Url } from "../../shared/bytes.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import type { NoticeDeps } from "../accounts/notice.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { NATIVE_CODE_LIFETIME_SEC } from "../limits.ts";
import { addSession, type IssueDeps, newSessionId } from "../tokens/issue-session.ts";
import { revokeSessions } from "../tokens/session-store.ts";
import type { TokenResponse } from "../tokens/wire.ts";
import {
  boughtByCode,
  consumeNativeCodeStatement,
  findNativeCode,
  insertNativeCode,
} from "./code-store.ts";
import { toChallenge } from "./pkce.ts";
import type { NativeToken } from "./wire.ts";

const CODE_BYTES = 32;

/** Makes the one-time code for the loopback address. Only its hash is stored. */
export async function issueNativeCode(
  deps: Pick<Scope, "db" | "clock" | "random" | "record">,
  { codeChallenge, ...account }: { userId: string; provider: string; codeChallenge: string },
): Promise<string> {
  const { db, clock, random, record } = deps;
  const code = toBase64Url(random(CODE_BYTES));
  await insertNativeCode(db, {
    codeHash: toBase64Url(await sha256(code)),
    ...account,
    codeChallenge,
    expiresAt: unixNow(clock) + NATIVE_CODE_LIFETIME_SEC,
  });
  record({ type: "native.code_issued", outcome: "success", userId: account.userId });
  return code;
}

/**
 * Trades a code and its verifier for a session. The first request consumes the code, also with a wrong verifier. A later
 * one ends the session of the first: two parties have the code. All refusals are the same.
 * @throws SigninError `invalid_grant`
 */
export async function exchangeNativeCode(
  deps: IssueDeps & NoticeDeps,
  { code, code_verifier: verifier }: NativeToken,
): Promise<TokenResponse> {
  const { db, clock, record } = deps;
  const codeHash = toBase64Url(await sha256(code));
  const challenge = await toChallenge(verifier);
  const found = await findNativeCode(db, codeHash);
  if (!found) throw failure("invalid_grant", "unknown code");
  const { userId, provider } = found;
  const now = unixNow(clock);
  // One batch: a crash cannot spend the code without the session, and a replay always finds the session.
  const batch = new Batch();
  const sessionId = newSessionId(deps);
  const consumed = batch.add(consumeNativeCodeStatement({ codeHash, sessionId, now }));
  const input = { id: sessionId, userId, kind: "native", provider } as const;
  const session = addSession(deps, batch, input, boughtByCode(codeHash, challenge));
  await batch.run(db);
  if (session.isInserted()) {
    const event = { type: "native.exchanged", outcome: "success" } as const;
    record({ ...event, userId, sessionId });
    noticeNewDevice(deps, { userId, sessionId });
    return session.toTokenResponse();
  }
  const reason = consumed().length > 0 ? "verifier" : "spent or expired";
  if (consumed().length === 0) await revokeBought(deps, codeHash, now);
  const rejected = { type: "native.rejected", outcome: "failure" } as const;
  record({ ...rejected, userId, detail: { reason } });
  throw failure("invalid_grant", reason);
}

async function revokeBought({ db }: IssueDeps, codeHash: string, now: number): Promise<void> {
  const { sessionId: id } = (await findNativeCode(db, codeHash)) ?? {};
  if (id) await revokeSessions(db, { id }, { reason: "replay", now });
}
