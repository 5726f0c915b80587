import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `connections/`. */
export const connectionTexts: SliceTexts = {
  tag: "connections",
  about: "Connected providers, and API keys of model providers.",
  operations: {
    "POST /auth/apikey": {
      id: "connectApiKey",
      summary: "Connect an API-key provider",
      about: "Connecting again replaces the key. No response has it.",
    },
    "DELETE /auth/{provider}/disconnect": {
      id: "disconnectProvider",
      summary: "Disconnect a provider",
      about: "The last way to sign in cannot be disconnected: 409.",
    },
  },
  schemas: {
    ConnectApiKey: {
      about: "An API key to store.",
      fields: {
        provider_slug: "The provider of the key.",
        api_key:
          "The key: printable ASCII without spaces, trimmed; at most 4,096 characters. It is stored sealed.",
      },
    },
    ConnectedApiKey: {
      about: "A stored key.",
      fields: {
        provider_slug: "The provider of the key.",
        hint: "The last characters of the stored API key, masked.",
      },
    },
  },
};
