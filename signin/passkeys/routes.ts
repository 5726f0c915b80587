import { body, errors, noContent, ok, optionalBody } from "../../shared/http/responses.ts";
import { get, patch, post, type Route, remove } from "../../shared/http/route.ts";
import { notFound } from "../errors.ts";
import { clearedPasskeyCookie, refreshCookie } from "../http/cookies.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { requireAllowedOrigin } from "../http/origins.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { requireWithinLimit } from "../rate-limits/guard.ts";
import { requireFreshProof } from "../tokens/fresh-proof.ts";
import { AccessResponse, TokenResponse } from "../tokens/wire.ts";
import { startRegistration, startSignIn } from "./options.ts";
import { addPasskey, removePasskey } from "./own-passkeys.ts";
import { signInWithPasskey } from "./sign-in.ts";
import { listPasskeys, updateLabel } from "./store.ts";
import {
  AddPasskey,
  CreationOptions,
  Passkey,
  PasskeyId,
  PasskeyList,
  PasskeySignIn,
  PasskeySignInRequest,
  RenamePasskey,
  RequestOptions,
  toPasskey,
} from "./wire.ts";

/** Passkeys: the user's own, and signing in with one. */
export function passkeyRoutes() {
  return createRouter("passkeys", [...ownPasskeyRoutes(), ...signInRoutes()]);
}

function ownPasskeyRoutes(): Route[] {
  return [
    post("/auth/passkeys/options", {
      operationId: "createPasskeyOptions",
      summary: "Get what a browser needs to make a passkey",
      description:
        "Needs a fresh proof. For `navigator.credentials.create()`. The challenge is valid once, for this user and for five minutes.",
      ...bearerRoute,
      responses: { ...ok(CreationOptions), ...errors(401, 403, 429, 503) },
      handler: async (c) => {
        const scope = scopeOf(c);
        const user = userOf(c);
        await requireWithinLimit(scope, "passkeyChangesPerUser", user.userId);
        await requireFreshProof(scope, user);
        return c.json(await startRegistration(scope, user.userId), 200);
      },
    }),
    post("/auth/passkeys", {
      operationId: "createPasskey",
      summary: "Add a passkey to the account",
      description:
        "Needs a fresh proof. An attempt spends its challenge. A passkey of any account is 409 `passkey_in_use`; an account has at most 20.",
      ...bearerRoute,
      request: body(AddPasskey),
      responses: { ...ok(Passkey), ...errors(400, 401, 403, 409, 429, 503) },
      handler: async (c) => {
        const scope = scopeOf(c);
        const user = userOf(c);
        await requireWithinLimit(scope, "passkeyChangesPerUser", user.userId);
        await requireFreshProof(scope, user);
        return c.json(await addPasskey(scope, user, c.req.valid("json")), 200);
      },
    }),
    get("/auth/passkeys", {
      operationId: "listPasskeys",
      summary: "List the user's passkeys, oldest first",
      description: "Without keys and credential ids.",
      ...bearerRoute,
      responses: { ...ok(PasskeyList), ...errors(401) },
      handler: async (c) => {
        const rows = await listPasskeys(scopeOf(c).db, userOf(c).userId);
        return c.json({ passkeys: rows.map(toPasskey) }, 200);
      },
    }),
    patch("/auth/passkeys/{id}", {
      operationId: "updatePasskey",
      summary: "Rename a passkey",
      description: "Nothing else of a passkey can be changed.",
      ...bearerRoute,
      request: { params: PasskeyId, ...body(RenamePasskey) },
      responses: { ...ok(Passkey), ...errors(400, 401, 404) },
      handler: async (c) => {
        const { userId } = userOf(c);
        const { label } = c.req.valid("json");
        const { id } = c.req.valid("param");
        const row = await updateLabel(scopeOf(c).db, { id, userId, label });
        if (!row) throw notFound("Passkey");
        return c.json(toPasskey(row), 200);
      },
    }),
    remove("/auth/passkeys/{id}", {
      operationId: "deletePasskey",
      summary: "Remove a passkey",
      description:
        "Needs a fresh proof. The other sessions that it began end. The last way to sign in cannot be removed: 409. The authenticator keeps its part.",
      ...bearerRoute,
      request: { params: PasskeyId },
      responses: { ...noContent, ...errors(401, 403, 404, 409, 503) },
      handler: async (c) => {
        const scope = scopeOf(c);
        const user = userOf(c);
        await requireFreshProof(scope, user);
        await removePasskey(scope, user, c.req.valid("param").id);
        return c.body(null, 204);
      },
    }),
  ];
}

function signInRoutes(): Route[] {
  return [
    post("/auth/passkey/options", {
      operationId: "createPasskeyLoginOptions",
      summary: "Get what a browser needs to sign in with a passkey",
      description:
        "For `navigator.credentials.get()`. It sets the cookie that binds the challenge to the browser, and names no account.",
      security: [],
      request: optionalBody(PasskeySignInRequest),
      responses: { ...ok(RequestOptions), ...errors(400, 429, 503) },
      handler: async (c) => {
        const scope = scopeOf(c);
        await requireWithinLimit(scope, "passkeyOptionsPerIp");
        const { options, setCookie } = await startSignIn(scope, c.req.raw.headers);
        c.header("Set-Cookie", setCookie);
        return c.json(options, 200);
      },
    }),
    post("/auth/passkey", {
      operationId: "loginPasskey",
      summary: "Sign in with a passkey",
      description:
        "Needs the binding cookie, and without `native` an allowed origin. An attempt spends its challenge; every refusal is 401 `passkey_rejected`.",
      security: [],
      request: body(PasskeySignIn),
      responses: {
        ...ok(
          TokenResponse.or(AccessResponse),
          "Success; without `native`, the refresh token is in the cookie alone",
        ),
        ...errors(400, 401, 403, 429, 503),
      },
      handler: async (c) => {
        const scope = scopeOf(c);
        const { config } = scope;
        const { headers } = c.req.raw;
        const input = c.req.valid("json");
        // A native client gets its tokens in the body, and no cookie that another site could plant.
        if (!input.native) requireAllowedOrigin(config, headers);
        await requireWithinLimit(scope, "passkeyPerIp");
        const answer = await signInWithPasskey(scope, input, headers);
        if (input.native) return c.json(answer, 200);
        const { refresh_token, refresh_expires_in, ...rest } = answer;
        c.header("Set-Cookie", refreshCookie(config, refresh_token, refresh_expires_in));
        c.header("Set-Cookie", clearedPasskeyCookie(config), { append: true });
        return c.json(rest, 200);
      },
    }),
  ];
}
