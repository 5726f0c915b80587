import { body, errors, ok } from "../../shared/http/responses.ts";
import { post } from "../../shared/http/route.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requestOwnCode } from "../passwords/send-code.ts";
import { Notice, OWN_CODE_NOTICE } from "../passwords/wire.ts";
import { AccessResponse } from "../tokens/wire.ts";
import { reauthenticate } from "./reauthenticate.ts";
import { Reauthentication } from "./wire.ts";

/** `POST /auth/reauthenticate`, and the code for it. */
export function reauthenticationRoutes() {
  return createRouter("account", [
    post("/auth/reauthenticate/code", {
      operationId: "sendReauthenticationCode",
      summary: "Mail a code to prove the account with",
      description: "To the address of the user's own account.",
      ...bearerRoute,
      responses: { ...ok(Notice), ...errors(401, 503) },
      handler: async (c) => {
        await requestOwnCode(scopeOf(c), { purpose: "reauthenticate", userId: userOf(c).userId });
        return c.json({ notice: OWN_CODE_NOTICE }, 200);
      },
    }),
    post("/auth/reauthenticate", {
      operationId: "reauthenticateSession",
      summary: "Prove the account afresh",
      description:
        "With the password, with a code of `POST /auth/reauthenticate/code`, with the second factor, or with a passkey that answers `POST /auth/passkey/options`. If a second factor is on, only it, a recovery code or a passkey counts. The proof holds for this session alone, for five minutes. A sign-in is one, too. Changes that need one answer 403 `reauthentication_required` without it; `ways` lists what the account has.",
      ...bearerRoute,
      request: body(Reauthentication),
      responses: { ...ok(AccessResponse), ...errors(400, 401, 403, 429, 503) },
      handler: async (c) => {
        const { headers } = c.req.raw;
        const given = c.req.valid("json");
        return c.json(await reauthenticate(scopeOf(c), userOf(c), { given, headers }), 200);
      },
    }),
  ]);
}
