import { createRoute } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { getMe, listProviders } from "./profile.ts";
import { Me, ProviderList } from "./wire.ts";

const me = createRoute({
  method: "get",
  path: "/auth/me",
  ...bearerRoute,
  responses: { ...ok(Me), ...errors(401) },
});

const providers = createRoute({
  method: "get",
  path: "/auth/providers",
  ...bearerRoute,
  responses: { ...ok(ProviderList), ...errors(401) },
});

/** `GET /auth/me`, `GET /auth/providers`. */
export function accountRoutes() {
  return createRouter()
    .openapi(me, async (c) => c.json(await getMe(scopeOf(c), userOf(c).userId), 200))
    .openapi(providers, async (c) =>
      c.json(await listProviders(scopeOf(c), userOf(c).userId), 200),
    );
}
