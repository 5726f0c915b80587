import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { notFound } from "../errors.ts";
import { revokeSessions } from "../tokens/session-store.ts";

type RevokeDeps = Pick<Scope, "db" | "clock" | "record">;

/**
 * Ends one session of a user. Another user's session, an unknown and an ended one get the same failure.
 * @throws SigninError `not_found`
 */
export async function revokeSession(
  { db, clock, record }: RevokeDeps,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const reason = "user_request";
  const ended = await revokeSessions(db, { id, userId }, { reason, now: unixNow(clock) });
  if (ended.length === 0) throw notFound("Session");
  const event = { type: "session.revoked", outcome: "success" } as const;
  record({ ...event, userId, sessionId: id, detail: { reason } });
}
