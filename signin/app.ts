import type { OpenAPIHono } from "@hono/zod-openapi";
import { createRelyingParty } from "./config/relying-party.ts";
import type { RequestOrigin, SigninDeps } from "./deps.ts";
import { createFront } from "./http/front.ts";
import { PUBLIC_DOCUMENTS, PUBLIC_HEADERS } from "./http/public-documents.ts";
import type { Slice } from "./http/slices.ts";
import { HEALTH } from "./operations/health.ts";
import { createLoginProviders } from "./providers/registry.ts";
import { createAccessTokens } from "./tokens/access-token.ts";
import { createKeyring } from "./tokens/keyring.ts";
import { toKeySet, toServerMetadata } from "./tokens/public-documents.ts";

/** The sign-in server as a request handler. Each runtime listens for it. */
export interface Signin {
  /** Constructs every route now, so that no request has to. The OpenAPI document is made of them. */
  openAll(): Promise<OpenAPIHono>;
  /** Never throws. */
  fetch(request: Request, origin?: RequestOrigin): Promise<Response>;
}

export function createSignin(deps: SigninDeps): Signin {
  const keyring = createKeyring(deps.config, deps.hmac);
  const accessTokens = createAccessTokens({ ...deps, keyring });
  const providers = createLoginProviders(deps);
  const relyingParty = createRelyingParty(deps.config);
  const parts = { keyring, accessTokens, providers, relyingParty };
  return createFront(deps, parts, listSlices(deps));
}

function toPublic(document: object): Response {
  return Response.json(document, { headers: PUBLIC_HEADERS });
}

// In the order in which routes are looked up. A bundle evaluates a slice when it opens.
function listSlices({ config }: Pick<SigninDeps, "config">): Slice[] {
  return [
    {
      paths: ["/health", "/ready", "/openapi.json"],
      answers: { "/health": () => Response.json(HEALTH) },
      open: async () => (await import("./operations/routes.ts")).operationsRoutes(config),
    },
    {
      paths: ["/auth/{provider}/login", "/auth/{provider}/callback"],
      open: async () => (await import("./login/routes.ts")).loginRoutes(),
    },
    {
      paths: ["/auth/native/token"],
      open: async () => (await import("./native/routes.ts")).nativeRoutes(),
    },
    ...ACCOUNT_SLICES,
    {
      paths: [
        "/auth/apikey",
        "/auth/{provider}/disconnect",
        "/auth/identities",
        "/auth/identities/{provider}/confirm",
      ],
      open: async () => (await import("./connections/routes.ts")).connectionRoutes(),
    },
    {
      paths: ["/auth/refresh", "/auth/logout"],
      open: async () => (await import("./tokens/routes.ts")).tokenRoutes(),
    },
    {
      paths: [PUBLIC_DOCUMENTS.keySet, PUBLIC_DOCUMENTS.metadata],
      answers: {
        [PUBLIC_DOCUMENTS.keySet]: async (scope) => toPublic(await toKeySet(scope)),
        [PUBLIC_DOCUMENTS.metadata]: (scope) => toPublic(toServerMetadata(scope)),
      },
      open: async () => (await import("./tokens/well-known-routes.ts")).wellKnownRoutes(),
    },
    {
      paths: [
        "/auth/login",
        "/auth/login/code",
        "/auth/login/code/complete",
        "/auth/signup/code",
        "/auth/signup/complete",
        "/auth/password",
        "/auth/password/code",
        "/auth/password/reset/code",
        "/auth/password/reset/complete",
      ],
      open: async () => (await import("./passwords/routes.ts")).passwordRoutes(),
    },
    {
      paths: [
        "/auth/passkeys",
        "/auth/passkeys/options",
        "/auth/passkeys/{id}",
        "/auth/passkey",
        "/auth/passkey/options",
      ],
      open: async () => (await import("./passkeys/routes.ts")).passkeyRoutes(),
    },
    {
      paths: [
        "/",
        "/page/style.css",
        "/page/script.js",
        "/page/icon.svg",
        "/page/common-passwords.txt",
      ],
      open: async () => (await import("./page/routes.ts")).pageRoutes(config),
    },
  ];
}

/** What a signed-in user sees and changes of the own account. */
const ACCOUNT_SLICES: readonly Slice[] = [
  {
    paths: ["/auth/me", "/auth/providers"],
    open: async () => (await import("./accounts/routes.ts")).accountRoutes(),
  },
  {
    paths: [
      "/auth/me",
      "/auth/me/delete/code",
      "/auth/me/export",
      "/auth/email/code",
      "/auth/email/complete",
    ],
    open: async () => (await import("./own-account/routes.ts")).ownAccountRoutes(),
  },
  {
    paths: ["/auth/reauthenticate", "/auth/reauthenticate/code"],
    open: async () => (await import("./reauthentication/routes.ts")).reauthenticationRoutes(),
  },
  {
    paths: ["/auth/sessions", "/auth/sessions/{id}"],
    open: async () => (await import("./sessions/routes.ts")).sessionRoutes(),
  },
  {
    paths: ["/auth/events"],
    open: async () => (await import("./audit/routes.ts")).auditRoutes(),
  },
];
