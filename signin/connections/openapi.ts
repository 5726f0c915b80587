import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `connections/`. */
export const connectionTexts: SliceTexts = {
  tag: "connections",
  about: "Connected providers, and API keys of model providers.",
  operations: {
    "POST /auth/apikey": {
      id: "connectApiKey",
      summary: "Connect an API-key provider",
      about: "Connecting again replaces the key. No answer holds it.",
    },
    "DELETE /auth/{provider}/disconnect": {
      id: "disconnectProvider",
      summary: "Disconnect a provider",
      about: "The last way to sign in cannot be disconnected: 409.",
    },
  },
};
