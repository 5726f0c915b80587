import { body, errors, noContent, ok } from "../../shared/http/responses.ts";
import { get, post, remove } from "../../shared/http/route.ts";
import type { Scope } from "../deps.ts";
import { notFound } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { bearerRoute, userOf } from "../http/current-user.ts";
import { createRouter } from "../http/router.ts";
import { scopeOf } from "../http/scope.ts";
import { ProviderParam } from "../providers/wire.ts";
import { type FreshDeps, requireFreshProof } from "../tokens/fresh-proof.ts";
import { connectApiKey } from "./api-keys.ts";
import { disconnect } from "./disconnect.ts";
import { confirmIdentity, listIdentities } from "./store.ts";
import { ConnectApiKey, ConnectedApiKey, IdentityList, toIdentity } from "./wire.ts";

/** API keys and identities of the account. */
export function connectionRoutes() {
  return createRouter("connections", [
    post("/auth/apikey", {
      operationId: "connectApiKey",
      summary: "Connect an API-key provider",
      description: "Connecting again replaces the key. No response has it.",
      ...bearerRoute,
      request: body(ConnectApiKey),
      responses: { ...ok(ConnectedApiKey), ...errors(400, 401, 413, 429) },
      handler: async (c) =>
        c.json(await connectApiKey(scopeOf(c), userOf(c), c.req.valid("json")), 200),
    }),
    remove("/auth/{provider}/disconnect", {
      operationId: "disconnectProvider",
      summary: "Disconnect a provider",
      description:
        "The other sessions that its identity began end. The last way to sign in cannot be disconnected: 409.",
      ...bearerRoute,
      request: { params: ProviderParam },
      responses: { ...noContent, ...errors(401, 404, 409) },
      handler: async (c) => {
        await disconnect(scopeOf(c), userOf(c), c.req.valid("param").provider);
        return c.body(null, 204);
      },
    }),
    get("/auth/identities", {
      operationId: "listIdentities",
      summary: "List the identities of the account, oldest first",
      description: "With those that wait for a confirmation.",
      ...bearerRoute,
      responses: { ...ok(IdentityList), ...errors(401) },
      handler: async (c) => {
        const rows = await listIdentities(scopeOf(c).db, userOf(c).userId);
        return c.json({ identities: rows.map(toIdentity) }, 200);
      },
    }),
    post("/auth/identities/{provider}/confirm", {
      operationId: "confirmIdentity",
      summary: "Confirm an identity that was linked without fresh proof",
      description:
        "Needs a fresh proof. Until then a sign-in with the identity is none. Doing so again changes nothing.",
      ...bearerRoute,
      request: { params: ProviderParam },
      responses: { ...noContent, ...errors(401, 403, 404) },
      handler: async (c) => {
        await confirm(scopeOf(c), userOf(c), c.req.valid("param").provider);
        return c.body(null, 204);
      },
    }),
  ]);
}

/**
 * Confirms an identity that was linked without fresh proof: its sign-ins are fresh proofs from now on. Doing so again changes nothing.
 * @throws SigninError `reauthentication_required`, `not_found`
 */
async function confirm(
  deps: FreshDeps & Pick<Scope, "record">,
  user: AccessClaims,
  provider: string,
): Promise<void> {
  await requireFreshProof(deps, user);
  if (!(await confirmIdentity(deps.db, { userId: user.userId, provider }))) {
    throw notFound("Connection");
  }
  deps.record({ type: "identity.confirmed", outcome: "success", ...user, detail: { provider } });
}
