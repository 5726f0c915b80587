import { createRoute } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { TokenAnswer } from "../tokens/wire.ts";
import { exchangeNativeCode } from "./exchange.ts";
import { NativeToken } from "./wire.ts";

const postToken = createRoute({
  method: "post",
  path: "/auth/native/token",
  security: [],
  request: body(NativeToken),
  responses: { ...ok(TokenAnswer), ...errors(400, 413, 429) },
});

/** `POST /auth/native/token`. */
export function nativeRoutes() {
  return createRouter().openapi(postToken, async (c) => {
    const scope = scopeOf(c);
    await requireWithinLimit(scope, "nativeTokenPerIp");
    return c.json(await exchangeNativeCode(scope, c.req.valid("json")), 200);
  });
}
