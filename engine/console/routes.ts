import { createRoute, z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { CONSOLE_PATH } from "./console.ts";
import type { ConsoleLinks } from "./links.ts";

const ConsoleLink = z.object({ url: z.string(), expiresAt: z.string() }).openapi("ConsoleLink");

const postLink = createRoute({
  method: "post",
  path: "/console/links",
  responses: { ...ok(ConsoleLink), ...errors(404) },
});

/** `POST /console/links`: an address that opens the console in a browser, once and within a minute. */
export function consoleRoutes({ config }: Pick<EngineDeps, "config">, links: ConsoleLinks) {
  return createRouter({ details: true }).openapi(postLink, (c) => {
    if (!config.console) throw failure("not_found");
    const { link, expiresAtMs } = links.create();
    // A browser sends the fragment of an address to no server.
    const url = `${new URL(c.req.url).origin}${CONSOLE_PATH}#${link}`;
    c.header("Cache-Control", "no-store");
    return c.json({ url, expiresAt: toIsoTime(expiresAtMs) }, 200);
  });
}
