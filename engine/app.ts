import { OpenAPIHono } from "@hono/zod-openapi";
import type { EngineDeps } from "./deps.ts";
import { unknownPath } from "./errors.ts";
import { toResponse } from "./http/errors.ts";
import { messageRoutes } from "./messages/routes.ts";
import { settingRoutes } from "./settings/routes.ts";
import { systemRoutes } from "./system/routes.ts";
import { threadRoutes } from "./threads/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** The prefix of every path (Engine §9). */
export const API_PREFIX = "/api/v1";

/** The engine as a request handler; `main.ts` gives it a port. */
export interface Engine {
  fetch(request: Request): Promise<Response>;
}

export function createEngine(deps: EngineDeps): Engine {
  const api = new OpenAPIHono();
  api.onError((error) => toResponse(error, deps.log));
  api.notFound(() => {
    throw unknownPath();
  });
  for (const routes of [
    systemRoutes(),
    workspaceRoutes(deps),
    threadRoutes(deps),
    messageRoutes(deps),
    settingRoutes(deps),
  ])
    api.route(API_PREFIX, routes);
  return { fetch: async (request) => api.fetch(request) };
}
