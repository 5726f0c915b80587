import { createRoute } from "@hono/zod-openapi";
import {
  body,
  errors,
  jsonText,
  noContent,
  ok,
  optionalBody,
} from "../../shared/http/responses.ts";
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

const postEmailCode = createRoute({
  method: "post",
  path: "/auth/email/code",
  ...bearerRoute,
  request: body(CodeRequest),
  responses: { ...ok(Notice), ...errors(400, 401, 403, 503) },
});

const postEmailComplete = createRoute({
  method: "post",
  path: "/auth/email/complete",
  ...bearerRoute,
  request: body(EmailChange),
  responses: { ...noContent, ...errors(400, 401, 403, 409, 429) },
});

const postDeleteCode = createRoute({
  method: "post",
  path: "/auth/me/delete/code",
  ...bearerRoute,
  responses: { ...ok(Notice), ...errors(401, 503) },
});

const deleteMe = createRoute({
  method: "delete",
  path: "/auth/me",
  ...bearerRoute,
  request: optionalBody(AccountDeletion),
  responses: { ...noContent, ...errors(400, 401, 403, 429) },
});

const getExport = createRoute({
  method: "get",
  path: "/auth/me/export",
  ...bearerRoute,
  responses: { ...ok(AccountExport), ...errors(401, 429) },
});

const DOWNLOAD = { "Content-Disposition": 'attachment; filename="account.json"' };

/** A user's own account: another address, the export, the deletion. */
export function ownAccountRoutes() {
  return createRouter()
    .openapi(postEmailCode, async (c) => {
      await requestEmailChange(scopeOf(c), userOf(c), c.req.valid("json").email);
      return c.json({ notice: NEW_ADDRESS_NOTICE }, 200);
    })
    .openapi(postEmailComplete, async (c) => {
      await completeEmailChange(scopeOf(c), userOf(c), c.req.valid("json"));
      return c.body(null, 204);
    })
    .openapi(postDeleteCode, async (c) => {
      await requestOwnCode(scopeOf(c), { purpose: "delete", userId: userOf(c).userId });
      return c.json({ notice: OWN_CODE_NOTICE }, 200);
    })
    .openapi(deleteMe, async (c) => {
      const scope = scopeOf(c);
      const user = userOf(c);
      const hasCookie = await isCookieOf(scope, c.req.raw.headers, user.userId);
      await deleteOwnAccount(scope, user, c.req.valid("json"));
      if (hasCookie) c.header("Set-Cookie", clearedRefreshCookie(scope.config));
      return c.body(null, 204);
    })
    .openapi(getExport, async (c) =>
      // Its text is made of `AccountExport`.
      jsonText<never>(await exportAccount(scopeOf(c), userOf(c)), DOWNLOAD),
    );
}
