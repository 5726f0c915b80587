import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { readRefreshCookie } from "../http/cookies.ts";
import { authenticate } from "../http/current-user.ts";
import { isAllowedOrigin, requireAllowedOrigin } from "../http/origins.ts";
import { decodeRefreshToken, isCurrent, isLive } from "./refresh-token.ts";
import { findSessionState, revokeSessions } from "./session-store.ts";

/** Which sessions end: this one, all others, or all. */
type LogoutScope = "local" | "others" | "global";

/** What the answer does with the refresh cookie of the browser. */
interface LoggedOut {
  clearsCookie: boolean;
}

/**
 * Ends sessions of the caller, who proves the session by bearer or by cookie. A session that has ended stays as it is.
 * @throws SigninError `invalid_token`, `session_expired`, `forbidden_origin`, `invalid_request`
 */
export async function logOut(
  scope: Scope,
  headers: Headers,
  which: LogoutScope,
): Promise<LoggedOut> {
  return headers.has("authorization")
    ? logOutByBearer(scope, headers, which)
    : logOutByCookie(scope, headers, which);
}

/**
 * A browser may send the cookie of another session beside the bearer. A logout of this browser ends that session, too: its
 * cookie would sign the browser in again. A cookie of a foreign origin is ignored.
 */
async function logOutByBearer(
  scope: Scope,
  headers: Headers,
  which: LogoutScope,
): Promise<LoggedOut> {
  const user = await authenticate(scope, headers);
  const cookie = readRefreshCookie(scope.config, headers);
  await endSessions(scope, user, which);
  if (which === "others") return { clearsCookie: false };
  if (cookie === undefined) return { clearsCookie: true };
  if (!isAllowedOrigin(scope.config, headers.get("origin"))) return { clearsCookie: false };
  const beside = await findCookieSession(scope, cookie);
  if (beside) await endSessions(scope, beside, "local");
  return { clearsCookie: true };
}

/** A stale cookie ends its own session alone: it may be a stolen copy. */
async function logOutByCookie(
  scope: Scope,
  headers: Headers,
  which: LogoutScope,
): Promise<LoggedOut> {
  const cookie = readRefreshCookie(scope.config, headers);
  if (cookie === undefined) throw failure("invalid_token");
  requireAllowedOrigin(scope.config, headers);
  const session = await findCookieSession(scope, cookie);
  if (!session || (which !== "local" && !session.isCurrent)) return { clearsCookie: true };
  await endSessions(scope, session, which);
  return { clearsCookie: which !== "others" };
}

/** Whether the browser's refresh cookie is of a live session of this user. */
export async function isCookieOf(scope: Scope, headers: Headers, userId: string): Promise<boolean> {
  const cookie = readRefreshCookie(scope.config, headers);
  const session = cookie === undefined ? undefined : await findCookieSession(scope, cookie);
  return session?.userId === userId;
}

/** The live session of a refresh cookie, and whether the cookie is its current token or within the grace. */
async function findCookieSession(
  { keyring, db, clock, config }: Scope,
  cookie: string,
): Promise<(AccessClaims & { isCurrent: boolean }) | undefined> {
  const claims = await decodeRefreshToken(await keyring.macs("refresh-token"), cookie);
  const state = claims && (await findSessionState(db, claims.sessionId));
  const now = unixNow(clock);
  if (!claims || !state || !isLive(state, now)) return undefined;
  const { refreshGraceSec } = config.session;
  return {
    userId: state.userId,
    sessionId: claims.sessionId,
    isCurrent: isCurrent(state, claims, { now, refreshGraceSec }),
  };
}

async function endSessions(
  { db, clock, record }: Scope,
  { userId, sessionId }: AccessClaims,
  which: LogoutScope,
): Promise<void> {
  const ending =
    which === "local"
      ? { id: sessionId }
      : { userId, exceptId: which === "others" ? sessionId : undefined };
  const ended = await revokeSessions(db, ending, { reason: "logout", now: unixNow(clock) });
  for (const id of ended) {
    record({
      type: "session.revoked",
      outcome: "success",
      userId,
      sessionId: id,
      detail: { reason: "logout" },
    });
  }
}
