import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `login/`. */
export const loginTexts: SliceTexts = {
  tag: "login",
  about: "Sign-in through an OpenID Connect or OAuth 2.0 provider, in a browser.",
  operations: {
    "GET /auth/{provider}/login": {
      id: "startLogin",
      summary: "Begin a sign-in, or link a provider",
      about:
        "Redirects to the provider. With `mode=link` (and the bearer) or `native=true` the response is JSON with the address.",
      parameters: {
        mode: "`login` signs in, `link` connects the provider to the bearer's account; by default `login`.",
        native:
          "`true` for a native client, which also sends the three parameters below; by default `false`.",
        redirect_to:
          "The loopback address of a native client that gets the code: `http://127.0.0.1:PORT`.",
        code_challenge: "The PKCE challenge: SHA-256 of the verifier, 43 characters of base64url.",
        code_challenge_method: "The PKCE method; only `S256`.",
      },
    },
    "GET /auth/{provider}/callback": {
      id: "completeLogin",
      summary: "Complete a sign-in at the provider's redirect",
      about:
        "Browsers come here by the provider's redirect. The parameters are those of the OAuth 2.0 authorization response.",
    },
  },
  schemas: {
    LoginAnswer: {
      about: "Where the user signs in.",
      fields: {
        url: "The address to open in the user's browser.",
        state:
          "The `state` that the loopback address receives with the code; only for native clients.",
      },
    },
  },
};
