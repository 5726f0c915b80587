import { errors, noContent, ok, optionalBody } from "../../shared/http/responses.ts";
import { post } from "../../shared/http/route.ts";
import type { Scope } from "../deps.ts";
import { failure, invalidRequest, SigninError } from "../errors.ts";
import { clearedRefreshCookie, readRefreshCookie, refreshCookie } from "../http/cookies.ts";
import { requireAllowedOrigin } from "../http/origins.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { logOut } from "./logout.ts";
import { refreshSession } from "./refresh-session.ts";
import { AccessResponse, Logout, Refresh, TokenResponse } from "./wire.ts";

/** `POST /auth/refresh`, `POST /auth/logout`. */
export function tokenRoutes() {
  return createRouter("sessions", [
    post("/auth/refresh", {
      operationId: "refreshSession",
      summary: "Exchange a refresh token for its successor",
      description:
        "Browsers send the cookie, other clients the body. A refresh by cookie returns the successor in the cookie only.",
      security: [],
      request: optionalBody(Refresh),
      responses: {
        ...ok(
          TokenResponse.or(AccessResponse),
          "Success; by cookie, the new refresh token is in the cookie alone",
        ),
        ...errors(400, 401, 403, 429),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const { headers } = c.req.raw;
        const cookie = readRefreshCookie(scope.config, headers);
        const { refresh_token: given } = c.req.valid("json");
        if (given !== undefined && cookie !== undefined) {
          throw invalidRequest("refresh_token: send it in the body or in the cookie, not both");
        }
        if (given !== undefined) return c.json(await refreshSession(scope, given), 200);
        if (cookie === undefined) throw failure("invalid_token");
        requireAllowedOrigin(scope.config, headers);
        const { refresh_token, refresh_expires_in, ...answer } = await clearingCookie(scope, () =>
          refreshSession(scope, cookie),
        );
        c.header("Set-Cookie", refreshCookie(scope.config, refresh_token, refresh_expires_in));
        return c.json(answer, 200);
      },
    }),
    post("/auth/logout", {
      operationId: "logoutSession",
      summary: "End this session, the others, or all",
      description: "Authorized by the bearer, or by the cookie from an allowed origin.",
      request: optionalBody(Logout),
      responses: { ...noContent, ...errors(400, 401, 403) },
      handler: async (c) => {
        const scope = scopeOf(c);
        const which = c.req.valid("json").scope ?? "local";
        const { clearsCookie } = await logOut(scope, c.req.raw.headers, which);
        if (clearsCookie) c.header("Set-Cookie", clearedRefreshCookie(scope.config));
        return c.body(null, 204);
      },
    }),
  ]);
}

/** A refused token is removed from the browser. */
async function clearingCookie<Result>(
  { config }: Pick<Scope, "config">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SigninError && error.code !== "rate_limited") {
      throw error.withCookies([clearedRefreshCookie(config)]);
    }
    throw error;
  }
}
