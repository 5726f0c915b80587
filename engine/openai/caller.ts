import { toIsoTime } from "../../shared/clock.ts";
import type { ClientCall, ClientCalls } from "../client-keys/client-calls.ts";
import { CLIENT_CALLS_MAX, CLIENT_KEY_USE_INTERVAL_MS } from "../client-keys/limits.ts";
import { findClientKeyByHash, hashKey, updateClientKeyUse } from "../client-keys/store.ts";
import type { ClientKey, ClientScope } from "../client-keys/wire.ts";
import type { EngineDeps } from "../deps.ts";
import { OpenAiError } from "./errors.ts";

type CallerDeps = Pick<EngineDeps, "db" | "clock" | "log">;

const BEARER = /^Bearer (\S+)$/i;

/** A call with the key that it came with. */
export interface Caller {
  key: ClientKey;
  /** Ends when the key is deleted. */
  call: ClientCall;
}

/** The caller of a request, whose call has begun. @throws OpenAiError 401, 429 */
export async function admit(
  deps: CallerDeps,
  calls: ClientCalls,
  authorization: string | null,
): Promise<Caller> {
  const [, given] = BEARER.exec(authorization ?? "") ?? [];
  const key = given && (await findClientKeyByHash(deps.db, await hashKey(given)));
  const nowMs = deps.clock.now();
  if (!key || Date.parse(key.expiresAt) <= nowMs) {
    const message = key
      ? "This API key has expired. Make a new one."
      : "The API key is missing or wrong. `keys create` makes one.";
    throw new OpenAiError(401, message, { code: "invalid_api_key" });
  }
  const call = calls.begin(key.uuid);
  if (!call) {
    const message = `${CLIENT_CALLS_MAX} calls of this key are running. Wait for one of them.`;
    throw new OpenAiError(429, message, { code: "rate_limit_exceeded" });
  }
  await noteUse(deps, key, nowMs);
  return { key, call };
}

/** @throws OpenAiError 403 */
export function requireScope({ key }: Caller, scope: ClientScope): void {
  if (key.scopes.includes(scope)) return;
  throw new OpenAiError(403, `This API key lacks the scope ${scope}.`, {
    code: "insufficient_permissions",
  });
}

// A disk that is full is no reason to refuse a call.
async function noteUse({ db, log }: CallerDeps, key: ClientKey, nowMs: number): Promise<void> {
  const { uuid, lastUsedAt } = key;
  if (lastUsedAt && nowMs - Date.parse(lastUsedAt) < CLIENT_KEY_USE_INTERVAL_MS) return;
  try {
    await updateClientKeyUse(db, uuid, toIsoTime(nowMs));
  } catch (error) {
    log.warn({ error }, "The use of a client key could not be stored.");
  }
}
