import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `console/`. */
export const consoleTexts: SliceTexts = {
  tag: "console",
  about: "The console of the engine, a page for browsers at `/console/`.",
  operations: {
    "POST /console/links": {
      id: "createConsoleLink",
      summary: "Create a link that opens the console in a browser",
      about:
        "The link is good once and for a minute. A sixth link voids the oldest one. 404 where `ENGINE_CONSOLE` is `0`.",
      ignoresBody: true,
    },
  },
  schemas: {
    ConsoleLink: {
      about: "A link that opens the console.",
      fields: {
        url: "The address for the browser; its fragment is the secret.",
        expiresAt: "The end of the link, ISO 8601.",
      },
    },
  },
};
