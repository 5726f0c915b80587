import { body, errors, ok } from "../../shared/http/responses.ts";
import { get, patch } from "../../shared/http/route.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { changeProfile, getMe, listProviders } from "./profile.ts";
import { Me, ProfileChange, ProviderList } from "./wire.ts";

/** `GET /auth/me`, `PATCH /auth/me`, `GET /auth/providers`. */
export function accountRoutes() {
  return createRouter("account", [
    get("/auth/me", {
      operationId: "getMe",
      summary: "Get the current user and its connections",
      description: "The response has the ways to sign in, and the connected API keys.",
      ...bearerRoute,
      responses: { ...ok(Me), ...errors(401) },
      handler: async (c) => c.json(await getMe(scopeOf(c), userOf(c).userId), 200),
    }),
    patch("/auth/me", {
      operationId: "updateMe",
      summary: "Change the name to show",
      description: "Null removes it. The answer is that of `GET /auth/me`.",
      ...bearerRoute,
      request: body(ProfileChange),
      responses: { ...ok(Me), ...errors(400, 401, 429) },
      handler: async (c) => {
        const scope = scopeOf(c);
        const { userId } = userOf(c);
        await requireWithinLimit(scope, "profilePerUser", userId);
        return c.json(await changeProfile(scope, userId, c.req.valid("json")), 200);
      },
    }),
    get("/auth/providers", {
      operationId: "listProviders",
      summary: "List the providers that can be connected, and those that are",
      description: "All configured providers of sign-ins, and all providers of API keys.",
      ...bearerRoute,
      responses: { ...ok(ProviderList), ...errors(401) },
      handler: async (c) => c.json(await listProviders(scopeOf(c), userOf(c).userId), 200),
    }),
  ]);
}
