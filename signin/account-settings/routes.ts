import {
  body,
  errors,
  jsonText,
  noContent,
  ok,
  optionalBody,
} from "../../shared/http/responses.ts";
import { get, post, remove } from "../../shared/http/route.ts";
import { clearedRefreshCookie } from "../http/cookies.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requestOwnCode } from "../passwords/send-code.ts";
import { CodeRequest, NEW_ADDRESS_NOTICE, Notice, OWN_CODE_NOTICE } from "../passwords/wire.ts";
import { isCookieOf } from "../tokens/logout.ts";
import { completeEmailChange, requestEmailChange } from "./change-email.ts";
import { deleteOwnAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { AccountDeletion, AccountExport, EmailChange } from "./wire.ts";

const DOWNLOAD = { "Content-Disposition": 'attachment; filename="account.json"' };

/** A user's own account: another address, the export, the deletion. */
export function accountSettingsRoutes() {
  return createRouter("account", [
    post("/auth/email/code", {
      operationId: "sendEmailCode",
      summary: "Mail a code to a new address of the account",
      description:
        "Needs a fresh proof. The present address gets a notice. The answer is the same for an address of another account.",
      ...bearerRoute,
      request: body(CodeRequest),
      responses: { ...ok(Notice), ...errors(400, 401, 403, 503) },
      handler: async (c) => {
        await requestEmailChange(scopeOf(c), userOf(c), c.req.valid("json").email);
        return c.json({ notice: NEW_ADDRESS_NOTICE }, 200);
      },
    }),
    post("/auth/email/complete", {
      operationId: "changeEmail",
      summary: "Change the address with the mailed code",
      description: "Needs a fresh proof. Both addresses get a mail.",
      ...bearerRoute,
      request: body(EmailChange),
      responses: { ...noContent, ...errors(400, 401, 403, 409, 429) },
      handler: async (c) => {
        await completeEmailChange(scopeOf(c), userOf(c), c.req.valid("json"));
        return c.body(null, 204);
      },
    }),
    post("/auth/me/delete/code", {
      operationId: "sendDeleteCode",
      summary: "Mail a code to delete the account with",
      description: "To the address of the user's own account.",
      ...bearerRoute,
      responses: { ...ok(Notice), ...errors(401, 503) },
      handler: async (c) => {
        await requestOwnCode(scopeOf(c), { purpose: "delete", userId: userOf(c).userId });
        return c.json({ notice: OWN_CODE_NOTICE }, 200);
      },
    }),
    remove("/auth/me", {
      operationId: "deleteMe",
      summary: "Delete the account",
      description:
        "With the password, with a code of `POST /auth/me/delete/code`, or with neither where the session has a fresh proof; else 403 `reauthentication_required`. The audit trail stays under the id alone.",
      ...bearerRoute,
      request: optionalBody(AccountDeletion),
      responses: { ...noContent, ...errors(400, 401, 403, 429) },
      handler: async (c) => {
        const scope = scopeOf(c);
        const user = userOf(c);
        const hasCookie = await isCookieOf(scope, c.req.raw.headers, user.userId);
        await deleteOwnAccount(scope, user, c.req.valid("json"));
        if (hasCookie) c.header("Set-Cookie", clearedRefreshCookie(scope.config));
        return c.body(null, 204);
      },
    }),
    get("/auth/me/export", {
      operationId: "exportMe",
      summary: "Export everything that is stored about the user",
      description:
        "No secret: of a password only whether there is one, of an API key its hint. 5 an hour.",
      ...bearerRoute,
      responses: { ...ok(AccountExport), ...errors(401, 429) },
      handler: async (c) =>
        // Its text is made of `AccountExport`.
        jsonText<never>(await exportAccount(scopeOf(c), userOf(c)), DOWNLOAD),
    }),
  ]);
}
