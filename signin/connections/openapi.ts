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
      about:
        "The other sessions that its identity began end. The last way to sign in cannot be disconnected: 409.",
    },
    "GET /auth/identities": {
      id: "listIdentities",
      summary: "List the identities of the account, oldest first",
      about: "With those that wait for a confirmation.",
    },
    "POST /auth/identities/{provider}/confirm": {
      id: "confirmIdentity",
      summary: "Confirm an identity that was linked without fresh proof",
      about:
        "Needs a fresh proof. Until then a sign-in with the identity is none. Doing so again changes nothing.",
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
    Identity: {
      about: "An identity that signs in to the account.",
      fields: {
        provider: "The slug of the provider.",
        linked_at: "When it was linked, ISO-8601 in UTC.",
        confirmed: "Whether a sign-in with it is a fresh proof.",
      },
    },
    IdentityList: {
      about: "The identities of the account.",
      fields: { identities: "The oldest first." },
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
