import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import type { AccessClaims } from "./access-token.ts";
import { revokeSessions } from "./session-store.ts";

/** Which sessions end: this one, all others, or all. */
export type LogoutScope = "local" | "others" | "global";

/** Ends sessions of the user. What has ended already stays as it is. */
export async function logOut(
  {
    db,
    clock,
    audit,
    client,
    background,
  }: Pick<Scope, "db" | "clock" | "audit" | "client" | "background">,
  { userId, sessionId }: AccessClaims,
  scope: LogoutScope,
): Promise<void> {
  const which =
    scope === "local"
      ? { id: sessionId }
      : { userId, exceptId: scope === "others" ? sessionId : undefined };
  const ended = await revokeSessions(db, which, { reason: "logout", now: unixNow(clock) });
  for (const id of ended) {
    background(
      audit.record({
        type: "session.revoked",
        outcome: "success",
        userId,
        sessionId: id,
        client,
        detail: { reason: "logout" },
      }),
    );
  }
}
