import type { ProgramDocument } from "../shared/http/program-document.ts";

const PROBES = ["/health", "/ready"];

/** What the sign-in server's OpenAPI document says beside its routes. */
export const signinDocument: ProgramDocument = {
  title: "Roundhouse sign-in server",
  description:
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
  tags: {
    system: "The health of the server, and its document.",
    login: "Sign-in through an OpenID Connect or OAuth 2.0 provider, in a browser.",
    native: "Sign-in of native clients, with PKCE.",
    account: "The user's own account.",
    connections: "Connected providers, and API keys of model providers.",
    sessions: "Sessions and their tokens.",
    passwords: "E-mail address and password: sign in, sign up, set a new password.",
    passkeys: "Passkeys (WebAuthn): the user's own, and signing in with one.",
    events: "The user's own audit trail.",
    page: "The sign-in and account page, for browsers.",
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
          items: { type: "string", enum: ["password", "code", "passkey", "second_factor"] },
          description:
            "How the account can be proven, where `reauthentication_required` asks for it.",
        },
        request_id: { type: "string", description: "Also in `X-Request-Id`, and in the log." },
      },
      required: ["error", "code", "request_id"],
    },
  },
};
