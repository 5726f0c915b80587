import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { failure } from "../errors.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { post } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { CONSOLE_PATH } from "./console.ts";
import type { ConsoleLinks } from "./links.ts";

const ConsoleLink = z
  .object({
    url: z.string().describe("The address for the browser; its fragment is the secret."),
    expiresAt: z.string().describe("The end of the link, ISO 8601."),
  })
  .openapi("ConsoleLink", { description: "A link that opens the console." });

/** `POST /console/links`: an address that opens the console in a browser, once and within a minute. */
export function consoleRoutes({ config }: Pick<EngineDeps, "config">, links: ConsoleLinks) {
  return createRouter({ details: true, tag: "console" }, [
    post("/console/links", {
      operationId: "createConsoleLink",
      summary: "Create a link that opens the console in a browser",
      description:
        "The link is good once and for a minute. A sixth link voids the oldest one. 404 where `ENGINE_CONSOLE` is `0`.",
      request: ignoredBody,
      responses: { ...ok(ConsoleLink), ...errors(404) },
      handler: (_input, c) => {
        if (!config.console) throw failure("not_found");
        const { link, expiresAtMs } = links.create();
        // A browser sends the fragment of an address to no server.
        const url = `${new URL(c.req.url).origin}${CONSOLE_PATH}#${link}`;
        c.header("Cache-Control", "no-store");
        return { url, expiresAt: toIsoTime(expiresAtMs) };
      },
    }),
  ]);
}
