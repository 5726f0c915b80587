import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `accounts/`. */
export const accountTexts: SliceTexts = {
  tag: "account",
  about: "The user's own account.",
  operations: {
    "GET /auth/me": {
      id: "getMe",
      summary: "Get the current user and its connections",
      about: "The response has the ways to sign in, and the connected API keys.",
    },
    "PATCH /auth/me": {
      id: "updateMe",
      summary: "Change the name to show",
      about: "Null removes it. The answer is that of `GET /auth/me`.",
    },
    "GET /auth/providers": {
      id: "listProviders",
      summary: "List the providers that can be connected, and those that are",
      about: "All configured providers of sign-ins, and all providers of API keys.",
    },
  },
  schemas: {
    Connection: {
      about: "One connection of the account.",
      fields: {
        provider: "The slug of the provider.",
        kind: "What kind of provider it is.",
        connected_at: "When it was connected, ISO-8601 in UTC.",
        hint: "The last characters of the stored API key, masked.",
      },
    },
    ProfileChange: {
      about: "What a user may change at once.",
      fields: {
        display_name: "The name to show: one line of 1 to 100 characters, or null.",
      },
    },
    Me: {
      about: "The current user.",
      like: "AccountUser",
      fields: {
        has_password: "Whether the account has a password.",
        connections: "The connections of the account.",
      },
    },
    ProviderList: {
      about: "The providers, connected or not.",
      fields: {
        providers: "The providers of API keys, and the configured providers of sign-ins.",
        "providers.slug": "The slug of the provider.",
        "providers.kind": "What kind of provider it is.",
        "providers.can_sign_in": "Whether a user can sign in with it.",
        "providers.connected": "Whether the current user is connected with it.",
        "providers.hint": "The last characters of the stored API key, masked.",
      },
    },
  },
};
