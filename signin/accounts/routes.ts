import { createRoute } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { changeProfile, getMe, listProviders } from "./profile.ts";
import { Me, ProfileChange, ProviderList } from "./wire.ts";

const me = createRoute({
  method: "get",
  path: "/auth/me",
  ...bearerRoute,
  responses: { ...ok(Me), ...errors(401) },
});

const patchMe = createRoute({
  method: "patch",
  path: "/auth/me",
  ...bearerRoute,
  request: body(ProfileChange),
  responses: { ...ok(Me), ...errors(400, 401, 429) },
});

const providers = createRoute({
  method: "get",
  path: "/auth/providers",
  ...bearerRoute,
  responses: { ...ok(ProviderList), ...errors(401) },
});

/** `GET /auth/me`, `PATCH /auth/me`, `GET /auth/providers`. */
export function accountRoutes() {
  return createRouter()
    .openapi(me, async (c) => c.json(await getMe(scopeOf(c), userOf(c).userId), 200))
    .openapi(patchMe, async (c) => {
      const scope = scopeOf(c);
      const { userId } = userOf(c);
      await requireWithinLimit(scope, "profilePerUser", userId);
      return c.json(await changeProfile(scope, userId, c.req.valid("json")), 200);
    })
    .openapi(providers, async (c) =>
      c.json(await listProviders(scopeOf(c), userOf(c).userId), 200),
    );
}
