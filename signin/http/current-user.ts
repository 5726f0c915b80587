import type { Context, MiddlewareHandler } from "hono";
import { findUserOfLiveSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "./access-claims.ts";
import { readBearer } from "./bearer.ts";
import { scopeOf } from "./scope.ts";

type AuthDeps = Pick<Scope, "accessTokens" | "db" | "clock">;

/**
 * The user of the bearer token. The session is read each time, so that a revocation has effect at once.
 * @throws SigninError `invalid_token`, `session_expired`
 */
export async function authenticate(deps: AuthDeps, headers: Headers): Promise<AccessClaims> {
  const token = readBearer(headers);
  const claims = token === undefined ? undefined : await deps.accessTokens.verify(token);
  if (!claims) throw failure("invalid_token");
  const userId = await findUserOfLiveSession(deps.db, {
    id: claims.sessionId,
    now: unixNow(deps.clock),
  });
  if (userId !== claims.userId) throw failure("session_expired");
  return claims;
}

/** For routes that need a bearer. It is checked before any other part of the request. */
const requireUser: MiddlewareHandler = async (c, next) => {
  c.set("user", await authenticate(scopeOf(c), c.req.raw.headers));
  await next();
};

/** The user of a route with `requireUser`. */
export function userOf(c: Context): AccessClaims {
  return c.get("user") as AccessClaims;
}

/** The part of such a route's description. */
export const bearerRoute = {
  security: [{ bearer: [] }],
  middleware: [requireUser],
};
