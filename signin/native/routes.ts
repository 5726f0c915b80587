import { body, errors, ok } from "../../shared/http/responses.ts";
import { post } from "../../shared/http/route.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { TokenResponse } from "../tokens/wire.ts";
import { exchangeNativeCode } from "./exchange.ts";
import { NativeToken } from "./wire.ts";

/** `POST /auth/native/token`. */
export function nativeRoutes() {
  return createRouter("native", [
    post("/auth/native/token", {
      operationId: "exchangeNativeCode",
      summary: "Exchange the one-time code of a native sign-in for tokens",
      description: "A code is valid once, for 60 seconds.",
      security: [],
      request: body(NativeToken),
      responses: { ...ok(TokenResponse), ...errors(400, 413, 429) },
      handler: async (c) => {
        const scope = scopeOf(c);
        await requireWithinLimit(scope, "nativeTokenPerIp");
        return c.json(await exchangeNativeCode(scope, c.req.valid("json")), 200);
      },
    }),
  ]);
}
