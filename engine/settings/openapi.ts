import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `settings/`. */
export const settingTexts: SliceTexts = {
  tag: "settings",
  about: "Settings: values of clients, each with a key and a scope.",
  operations: {
    "GET /settings": {
      id: "listSettings",
      summary: "List settings, with filters that match exactly",
      parameters: {
        key: "Only settings with this key.",
        tag: "Only settings with this tag.",
        client: "Only settings of this client.",
      },
    },
    "PUT /settings": {
      id: "updateSettings",
      summary: "Store settings by key, tag and client",
      about: "Each setting replaces the one with the same three; the answer is what was stored.",
    },
  },
};
