import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `page/`. */
export const pageTexts: SliceTexts = {
  tag: "page",
  about: "The sign-in and account page, for browsers.",
  operations: {
    "GET /": {
      id: "getPage",
      summary: "Get the sign-in and account page",
      about: "HTML for a browser. Programs use the other operations.",
    },
    "GET /page/script.js": {
      id: "getPageScript",
      summary: "Get the script of the page",
      about: "JavaScript that the page loads.",
    },
    "GET /page/style.css": {
      id: "getPageStyle",
      summary: "Get the style sheet of the page",
      about: "CSS that the page loads.",
    },
    "GET /page/icon.svg": {
      id: "getPageIcon",
      summary: "Get the built-in mark",
      about: "An SVG image that browsers show beside the title.",
    },
    "GET /page/common-passwords.txt": {
      id: "getPageCommonPasswords",
      summary: "Get the list of common passwords",
      about:
        "Parts of SHA-256 hashes, with which the page compares a new password as the server does.",
    },
  },
};
