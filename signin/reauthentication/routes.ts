import { createRoute } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requestOwnCode } from "../passwords/send-code.ts";
import { Notice, OWN_CODE_NOTICE } from "../passwords/wire.ts";
import { AccessAnswer } from "../tokens/wire.ts";
import { reauthenticate } from "./reauthenticate.ts";
import { Reauthentication } from "./wire.ts";

const postCode = createRoute({
  method: "post",
  path: "/auth/reauthenticate/code",
  ...bearerRoute,
  responses: { ...ok(Notice), ...errors(401, 503) },
});

const postReauthenticate = createRoute({
  method: "post",
  path: "/auth/reauthenticate",
  ...bearerRoute,
  request: body(Reauthentication),
  responses: { ...ok(AccessAnswer), ...errors(400, 401, 429, 503) },
});

/** `POST /auth/reauthenticate`, and the code for it. */
export function reauthenticationRoutes() {
  return createRouter()
    .openapi(postCode, async (c) => {
      await requestOwnCode(scopeOf(c), { purpose: "reauthenticate", userId: userOf(c).userId });
      return c.json({ notice: OWN_CODE_NOTICE }, 200);
    })
    .openapi(postReauthenticate, async (c) => {
      const { headers } = c.req.raw;
      const given = c.req.valid("json");
      return c.json(await reauthenticate(scopeOf(c), userOf(c), { given, headers }), 200);
    });
}
