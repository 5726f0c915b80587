import { createRoute } from "@hono/zod-openapi";
import { body, errors, noContent, ok } from "../../shared/http/responses.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { ProviderParam } from "../providers/wire.ts";
import { connectApiKey } from "./api-keys.ts";
import { confirm } from "./confirm.ts";
import { disconnect } from "./disconnect.ts";
import { listIdentities } from "./store.ts";
import { ConnectApiKey, ConnectedApiKey, IdentityList, toIdentity } from "./wire.ts";

const postApiKey = createRoute({
  method: "post",
  path: "/auth/apikey",
  ...bearerRoute,
  request: body(ConnectApiKey),
  responses: { ...ok(ConnectedApiKey), ...errors(400, 401, 413, 429) },
});

const deleteConnection = createRoute({
  method: "delete",
  path: "/auth/{provider}/disconnect",
  ...bearerRoute,
  request: { params: ProviderParam },
  responses: { ...noContent, ...errors(401, 404, 409) },
});

const getIdentities = createRoute({
  method: "get",
  path: "/auth/identities",
  ...bearerRoute,
  responses: { ...ok(IdentityList), ...errors(401) },
});

const postConfirm = createRoute({
  method: "post",
  path: "/auth/identities/{provider}/confirm",
  ...bearerRoute,
  request: { params: ProviderParam },
  responses: { ...noContent, ...errors(401, 403, 404) },
});

/** API keys and identities of the account. */
export function connectionRoutes() {
  return createRouter()
    .openapi(postApiKey, async (c) =>
      c.json(await connectApiKey(scopeOf(c), userOf(c), c.req.valid("json")), 200),
    )
    .openapi(deleteConnection, async (c) => {
      await disconnect(scopeOf(c), userOf(c), c.req.valid("param").provider);
      return c.body(null, 204);
    })
    .openapi(getIdentities, async (c) => {
      const rows = await listIdentities(scopeOf(c).db, userOf(c).userId);
      return c.json({ identities: rows.map(toIdentity) }, 200);
    })
    .openapi(postConfirm, async (c) => {
      await confirm(scopeOf(c), userOf(c), c.req.valid("param").provider);
      return c.body(null, 204);
    });
}
