import { body, errors, noContent, ok } from "../../shared/http/responses.ts";
import { get, post, remove } from "../../shared/http/route.ts";
import { clearedPendingCookie, refreshCookie } from "../http/cookies.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { requireAllowedOrigin } from "../http/origins.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { AccessResponse } from "../tokens/wire.ts";
import { signInWithFactor } from "./identity-sign-in.ts";
import { createRecoveryCodes, createTotpOptions, disableTotp, enableTotp } from "./own-factor.ts";
import { getFactorState } from "./store.ts";
import {
  IdentityFactor,
  RecoveryCodeList,
  SecondFactorState,
  TotpCode,
  TotpOptions,
  toSecondFactorState,
} from "./wire.ts";

/** The second factor of a user's own account. */
export function secondFactorRoutes() {
  return createRouter("account", [
    get("/auth/second-factor", {
      operationId: "getSecondFactor",
      summary: "Get whether a second factor is on",
      description: "With the number of recovery codes that are left.",
      ...bearerRoute,
      responses: { ...ok(SecondFactorState), ...errors(401) },
      handler: async (c) => {
        const state = await getFactorState(scopeOf(c).db, userOf(c).userId);
        return c.json(toSecondFactorState(state), 200);
      },
    }),
    post("/auth/second-factor/identity", {
      operationId: "loginIdentity",
      summary: "Sign in with an unconfirmed identity and the second factor",
      description:
        "After a callback of a provider that was connected without fresh proof: the identity waits in a cookie of this browser for ten minutes. Needs an allowed origin. A wrong code uses nothing up.",
      security: [],
      request: body(IdentityFactor),
      responses: {
        ...ok(AccessResponse, "Success; the refresh token is in the cookie alone"),
        ...errors(400, 401, 403, 429),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const { headers } = c.req.raw;
        requireAllowedOrigin(scope.config, headers);
        const given = c.req.valid("json").second_factor;
        const answer = await signInWithFactor(scope, given, headers);
        const { refresh_token, refresh_expires_in, ...rest } = answer;
        c.header("Set-Cookie", refreshCookie(scope.config, refresh_token, refresh_expires_in));
        c.header("Set-Cookie", clearedPendingCookie(scope.config), { append: true });
        return c.json(rest, 200);
      },
    }),
    post("/auth/second-factor/totp/options", {
      operationId: "createTotpOptions",
      summary: "Get a secret for an authenticator app",
      description:
        "Needs a fresh proof. The newest secret of the account is good, for ten minutes; `POST /auth/second-factor/totp` switches it on.",
      ...bearerRoute,
      responses: { ...ok(TotpOptions), ...errors(401, 403, 409) },
      handler: async (c) => c.json(await createTotpOptions(scopeOf(c), userOf(c)), 200),
    }),
    post("/auth/second-factor/totp", {
      operationId: "enableTotp",
      summary: "Switch the second factor on with a code of the app",
      description:
        "Needs a fresh proof. The code is used up. No other answer has the recovery codes.",
      ...bearerRoute,
      request: body(TotpCode),
      responses: { ...ok(RecoveryCodeList), ...errors(400, 401, 403) },
      handler: async (c) =>
        c.json(await enableTotp(scopeOf(c), userOf(c), c.req.valid("json").code), 200),
    }),
    remove("/auth/second-factor/totp", {
      operationId: "disableTotp",
      summary: "Switch the second factor off",
      description: "Needs a fresh proof. Its recovery codes end with it.",
      ...bearerRoute,
      responses: { ...noContent, ...errors(401, 403, 404) },
      handler: async (c) => {
        await disableTotp(scopeOf(c), userOf(c));
        return c.body(null, 204);
      },
    }),
    post("/auth/second-factor/recovery-codes", {
      operationId: "createRecoveryCodes",
      summary: "Make ten new recovery codes",
      description: "Needs a fresh proof. All others end. No other answer has them.",
      ...bearerRoute,
      responses: { ...ok(RecoveryCodeList), ...errors(401, 403, 404) },
      handler: async (c) => c.json(await createRecoveryCodes(scopeOf(c), userOf(c)), 200),
    }),
  ]);
}
