import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `native/`. */
export const nativeTexts: SliceTexts = {
  tag: "native",
  about: "Sign-in of native clients, with PKCE.",
  operations: {
    "POST /auth/native/token": {
      id: "exchangeNativeCode",
      summary: "Exchange the one-time code of a native sign-in for tokens",
      about: "A code is valid once, for 60 seconds.",
    },
  },
  schemas: {
    NativeToken: {
      about: "The one-time code of a native sign-in, with its proof.",
      fields: {
        code: "The code that the loopback address got.",
        code_verifier: "The PKCE verifier: 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~.",
      },
    },
  },
};
