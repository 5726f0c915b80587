import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { body, errors, noContent, ok } from "../../shared/http/responses.ts";
import { randomToken } from "../../shared/random.ts";
import type { EngineDeps } from "../deps.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { get, post, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { created, uuidParam } from "../http/wire.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import { findWorkspace } from "../workspaces/store.ts";
import type { ClientCalls } from "./client-calls.ts";
import { CLIENT_KEY_DAYS_DEFAULT, CLIENT_KEYS_MAX } from "./limits.ts";
import { deleteClientKey, hashKey, insertClientKey, listClientKeys } from "./store.ts";
import { ClientKey, CreateClientKey, NewClientKey } from "./wire.ts";

const DAY_MS = 24 * 60 * 60_000;

type KeyDeps = Pick<EngineDeps, "db" | "clock" | "changes">;

/** Keys of other programs; additive. */
export function clientKeyRoutes(deps: KeyDeps, calls: ClientCalls, turns: ActiveTurns) {
  return createRouter({ details: true, tag: "clientKeys" }, [
    get("/client-keys", {
      operationId: "listClientKeys",
      summary: "List the keys of other programs, in order of creation",
      description: "Without the keys themselves: only a hash of each is stored.",
      responses: ok(z.array(ClientKey)),
      handler: async () => listClientKeys(deps.db),
    }),
    post("/client-keys", {
      operationId: "createClientKey",
      summary: "Make a key for another program",
      description:
        "The response alone has the key. It is good at `/openai/v1` and nowhere else. There are at most 100 keys.",
      request: body(CreateClientKey),
      responses: { ...created(NewClientKey), ...errors(400, 409) },
      location: ({ uuid }) => `/client-keys/${uuid}`,
      handler: ({ body }) => createClientKey(deps, body),
    }),
    remove("/client-keys/{uuid}", {
      operationId: "deleteClientKey",
      summary: "Revoke a key at once",
      description: "Its calls and turns that run are cancelled, also in the middle of a stream.",
      request: { params: uuidParam("the key") },
      responses: { ...noContent, ...errors(404) },
      handler: async ({ uuid }) => {
        if (!(await deleteClientKey(deps.db, uuid))) throw notFound("Client key");
        deps.changes.publish({ type: "clientKey.deleted", data: { keyUuid: uuid } });
        calls.revoke(uuid);
        await turns.cancelOfKey(uuid);
      },
    }),
  ]);
}

async function createClientKey(
  { db, clock, changes }: KeyDeps,
  { name, scopes, workspaceUuids = null, expiresAt }: CreateClientKey,
): Promise<NewClientKey> {
  const nowMs = clock.now();
  const endMs = expiresAt ? Date.parse(expiresAt) : nowMs + CLIENT_KEY_DAYS_DEFAULT * DAY_MS;
  if (endMs <= nowMs) throw refused("expiresAt: must be in the future");
  for (const uuid of workspaceUuids ?? []) {
    if (!(await findWorkspace(db, uuid))) {
      throw refused(`workspaceUuids: there is no workspace ${uuid}`);
    }
  }
  const key = `rh_${randomToken()}`;
  const made = {
    uuid: crypto.randomUUID(),
    name,
    createdAt: toIsoTime(nowMs),
    expiresAt: toIsoTime(endMs),
  };
  const stored = await insertClientKey(db, {
    ...made,
    keyHash: await hashKey(key),
    scopes: JSON.stringify(scopes),
    workspaceUuids: workspaceUuids && JSON.stringify(workspaceUuids),
  });
  if (!stored) throw conflict(`There are ${CLIENT_KEYS_MAX} keys. Revoke one that is not used.`);
  changes.publish({ type: "clientKey.created", data: { keyUuid: made.uuid } });
  return { ...made, scopes, workspaceUuids, lastUsedAt: null, key };
}

function refused(details: string) {
  return invalid("The request is not valid.", details);
}
