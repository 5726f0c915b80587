import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, rateLimited } from "../errors.ts";
import { countRequest } from "../rate-limits/guard.ts";
import { type IssueDeps, toTokenResponse } from "./issue-session.ts";
import { decodeRefreshToken, isCurrent, isLive, type RefreshClaims } from "./refresh-token.ts";
import { awaitRotation, findSessionState, revokeSessions, rotateSession } from "./session-store.ts";
import type { TokenResponse } from "./wire.ts";

type RefreshDeps = IssueDeps & Pick<Scope, "rateLimiter" | "log" | "onRotation">;

// A session refreshes every ten minutes while it is used. One event in 16 refreshes keeps the trail readable.
const REFRESHES_PER_EVENT = 16;

/**
 * Trades a refresh token for its successor. A retry with the same token within the grace gets the same answer: a response
 * can be lost. A retry after the grace, or an older token, shows that two parties hold the session. It ends for both.
 * @throws SigninError `invalid_token`, `session_expired`, `refresh_reused`, `rate_limited`
 */
export async function refreshSession(deps: RefreshDeps, token: string): Promise<TokenResponse> {
  const claims = await decodeRefreshToken(await deps.keyring.macs("refresh-token"), token);
  if (!claims) throw failure("invalid_token");
  const { sessionId, counter } = claims;
  const now = unixNow(deps.clock);
  const { idleSec, refreshGraceSec } = deps.config.session;
  const decision = await countRequest(deps, "refreshPerSession", sessionId);
  if (!decision.ok) {
    // The limit is on rotations. A burst with one token rotates once, and each of its calls gets the answer.
    const repeated = await awaitRotation(deps.db, { id: sessionId, counter, now, refreshGraceSec });
    if (!repeated) throw rateLimited(decision.retryAfterSec);
    return toTokenResponse(deps, { sessionId, ...repeated });
  }
  const rotated = await rotateSession(deps.db, { id: sessionId, counter, now, idleSec });
  if (!rotated) return repeatOrRevoke(deps, claims, now);
  deps.onRotation?.();
  if (rotated.counter % REFRESHES_PER_EVENT === 1)
    record(deps, "session.refreshed", claims, rotated);
  return toTokenResponse(deps, { sessionId, ...rotated });
}

/**
 * The grace must be shorter than an access token's lifetime. Otherwise a thief and the owner could refresh in turn, each
 * one generation behind, and reuse would never be detected.
 */
async function repeatOrRevoke(
  deps: RefreshDeps,
  claims: RefreshClaims,
  now: number,
): Promise<TokenResponse> {
  const { sessionId, counter } = claims;
  const state = await findSessionState(deps.db, sessionId);
  if (!state || !isLive(state, now)) throw failure("session_expired");
  if (counter > state.counter) throw failure("invalid_token");
  const { refreshGraceSec } = deps.config.session;
  if (isCurrent(state, claims, { now, refreshGraceSec })) {
    return toTokenResponse(deps, { sessionId, ...state });
  }
  await revokeSessions(deps.db, { id: sessionId }, { reason: "reuse", now });
  record(deps, "session.reuse_detected", claims, state);
  throw failure("refresh_reused");
}

function record(
  deps: RefreshDeps,
  type: "session.refreshed" | "session.reuse_detected",
  { sessionId }: RefreshClaims,
  { userId }: { userId: string },
): void {
  const outcome = type === "session.refreshed" ? "success" : "failure";
  deps.record({ type, outcome, userId, sessionId });
}
