import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `settings/`. */
export const settingTexts: SliceTexts = {
  tag: "settings",
  about: "Settings: values of clients, each with a key and a scope.",
  operations: {
    "GET /settings": {
      id: "listSettings",
      summary: "List settings, with filters that match exactly",
      about: "A filter that is left out matches all. The order is that of the database.",
      parameters: {
        key: "Only settings with this key.",
        tag: "Only settings with this tag.",
        client: "Only settings of this client.",
      },
    },
    "PUT /settings": {
      id: "updateSettings",
      summary: "Store settings by key, tag and client",
      about:
        "Each setting replaces the one with the same key, tag and client. The response has the stored settings.",
    },
  },
  schemas: {
    Setting: {
      about: "A setting; key, tag and client together are its scope.",
      fields: {
        key: "The key; not blank.",
        value: "The value, any text.",
        tag: "The tag; null where there is none, which is not the same as empty.",
        client: "The client that the setting belongs to; null where it belongs to all.",
      },
    },
  },
};
