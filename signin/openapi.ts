import type { ProgramTexts } from "../shared/http/openapi-texts.ts";
import { accountTexts } from "./accounts/openapi.ts";
import { auditTexts } from "./audit/openapi.ts";
import { connectionTexts } from "./connections/openapi.ts";
import { loginTexts } from "./login/openapi.ts";
import { nativeTexts } from "./native/openapi.ts";
import { operationsTexts } from "./operations/openapi.ts";
import { ownAccountTexts } from "./own-account/openapi.ts";
import { pageTexts } from "./page/openapi.ts";
import { passkeyTexts } from "./passkeys/openapi.ts";
import { passwordTexts } from "./passwords/openapi.ts";
import { reauthenticationTexts } from "./reauthentication/openapi.ts";
import { sessionTexts } from "./sessions/openapi.ts";
import { tokenTexts } from "./tokens/openapi.ts";

const PROBES = ["/health", "/ready"];

/** The texts of the sign-in server's OpenAPI document. A new slice adds its own here. */
export const signinTexts: ProgramTexts = {
  title: "Roundhouse sign-in server",
  about:
    "Sign-in through an OpenID Connect and an OAuth 2.0 provider, native sign-in with PKCE, e-mail and password, " +
    "sessions, and connections to providers with API keys.",
  prefix: "",
  server: "http://127.0.0.1:8787",
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `access_token` of a token answer.",
  },
  slices: [
    operationsTexts,
    loginTexts,
    nativeTexts,
    accountTexts,
    ownAccountTexts,
    reauthenticationTexts,
    connectionTexts,
    sessionTexts,
    tokenTexts,
    passwordTexts,
    passkeyTexts,
    auditTexts,
    pageTexts,
  ],
  parameters: {
    provider: "The slug of the provider, such as `google`.",
  },
  responses: [
    {
      status: 400,
      about: "The Host header is not trusted, or the request is not valid",
      appliesTo: ({ path }) => !PROBES.includes(path),
    },
    {
      status: 403,
      about: "The Origin header is not allowed",
      appliesTo: ({ method }) => method !== "get",
    },
    {
      status: 413,
      about: "The body is larger than 16 KiB",
      appliesTo: ({ hasJsonBody }) => hasJsonBody,
    },
    {
      status: 415,
      about: "The body is not declared as application/json",
      appliesTo: ({ hasJsonBody }) => hasJsonBody,
    },
    {
      status: 429,
      about: "Too many requests; `Retry-After` says for how many seconds to wait",
      appliesTo: () => true,
    },
    {
      status: 503,
      about: "The database does not answer, or has an older schema",
      appliesTo: ({ path }) => path.startsWith("/auth/"),
    },
  ],
  // What both programs share knows the first two fields only.
  components: {
    ErrorBody: {
      type: "object",
      description: "Why a request failed.",
      properties: {
        error: { type: "string", description: "A sentence to show to the user." },
        code: {
          type: "string",
          description: "A stable name for programs, such as `invalid_code`.",
        },
        details: {
          type: "string",
          description: "The field and the rule, where a request is not valid.",
        },
        ways: {
          type: "array",
          items: { type: "string", enum: ["password", "code", "passkey"] },
          description:
            "How the account can be proven, where `reauthentication_required` asks for it.",
        },
        request_id: { type: "string", description: "Also in `X-Request-Id`, and in the log." },
      },
      required: ["error", "code", "request_id"],
    },
  },
};
