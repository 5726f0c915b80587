import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `page/`. */
export const pageTexts: SliceTexts = {
  tag: "page",
  about: "The page for a person.",
  operations: {
    "GET /": { id: "getPage", summary: "Get the sign-in and account page" },
    "GET /page/script.js": { id: "getPageScript", summary: "Get the script of the page" },
    "GET /page/style.css": { id: "getPageStyle", summary: "Get the style sheet of the page" },
  },
};
