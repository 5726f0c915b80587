import { Hono } from "hono";
import { readJsonBody } from "../../shared/http/json-body.ts";
import { allowedMethods } from "../../shared/http/matching-routes.ts";
import type { ClientCalls } from "../client-keys/client-calls.ts";
import type { EngineDeps } from "../deps.ts";
import { BODY_BYTES_MAX } from "../limits.ts";
import type { ActiveTurns } from "../turns/active-turns.ts";
import { answerBare } from "./bare-model.ts";
import { admit, type Caller, requireScope } from "./caller.ts";
import { parseCompletionRequest } from "./completion-request.ts";
import { embed } from "./embeddings.ts";
import { badField, errorResponse, OpenAiError } from "./errors.ts";
import { THREAD_LABEL_CHARACTERS_MAX } from "./limits.ts";
import { getListedModel, getNamedModel, listNamedModels } from "./named-models.ts";
import { WorkspaceTurns } from "./workspace-turn.ts";

const DOOR_PREFIX = "/openai/v1";

type DoorDeps = Pick<EngineDeps, "config" | "db" | "vault" | "fetch" | "timers" | "clock" | "log">;

interface Env {
  Variables: { caller: Caller; signal: AbortSignal };
}

/**
 * The OpenAI-compatible interface, for programs with a client key: models of the person, and workspaces as models. It has keys
 * and a form of errors of its own, so it is outside of the API.
 */
export function createDoor(deps: DoorDeps, calls: ClientCalls, turns: ActiveTurns) {
  const routes = createRoutes(deps, calls, new WorkspaceTurns(deps, turns));
  return {
    serves: (path: string) => path === DOOR_PREFIX || path.startsWith(`${DOOR_PREFIX}/`),
    fetch: async (request: Request) => routes.fetch(request),
    /** What clients of OpenAI's interface send. */
    allowsHeader: (name: string) =>
      /^(x-thread|idempotency-key|(x-stainless|openai)-[a-z0-9-]+)$/.test(name),
  };
}

function createRoutes(
  deps: DoorDeps,
  calls: ClientCalls,
  workspaceTurns: WorkspaceTurns,
): Hono<Env> {
  const door = new Hono<Env>().basePath(DOOR_PREFIX);
  door.onError((error) => errorResponse(error, deps.log));
  door.notFound((c) => {
    const methods = allowedMethods(door, c.req.path);
    throw methods.length > 0
      ? new OpenAiError(405, `Only ${methods.join(", ")} can be used here.`, {
          allow: methods.join(", "),
        })
      : new OpenAiError(404, "There is no such path.");
  });
  door.use(async (c, next) => {
    const caller = await admit(deps, calls, c.req.header("authorization") ?? null);
    const ended = new AbortController();
    c.set("caller", caller);
    c.set("signal", AbortSignal.any([c.req.raw.signal, caller.call.signal, ended.signal]));
    await next();
    c.res = whenEnded(c.res, () => {
      caller.call[Symbol.dispose]();
      ended.abort();
    });
  });
  door.get("/models", async (c) =>
    c.json({ object: "list", data: await listNamedModels(deps, c.get("caller")) }),
  );
  door.get("/models/:id{.+}", async (c) =>
    c.json(await getListedModel(deps, c.get("caller"), c.req.param("id"))),
  );
  door.post("/chat/completions", async (c) => {
    const request = parseCompletionRequest(await readBody(c.req.raw));
    const named = await getNamedModel(deps, c.get("caller"), request.model);
    if (named.kind === "workspace") {
      const label = parseLabel(c.req.header("x-thread"));
      return workspaceTurns.answer(c.get("caller"), { workspace: named.workspace, request, label });
    }
    return answerBare(deps, named.row, { request, signal: c.get("signal") });
  });
  door.post("/embeddings", async (c) => {
    requireScope(c.get("caller"), "embeddings");
    return embed(deps, { request: await readBody(c.req.raw), signal: c.get("signal") });
  });
  return door;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `X-Thread` is a name that the client chose: a uuid would look as if it named any thread. @throws OpenAiError 400 */
function parseLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  if (label === "" || label.length > THREAD_LABEL_CHARACTERS_MAX) {
    throw badField("X-Thread", `must have 1 to ${THREAD_LABEL_CHARACTERS_MAX} characters`);
  }
  if (UUID.test(label)) throw badField("X-Thread", "must be a name of your own, and no uuid");
  return label;
}

async function readBody(request: Request): Promise<unknown> {
  const read = await readJsonBody(request, BODY_BYTES_MAX);
  if (!("fault" in read)) return read.value;
  if (read.fault === "too_large") throw new OpenAiError(413, "The body is larger than 16 MiB.");
  throw new OpenAiError(400, "The body is not valid JSON.");
}

/** The same response; `end` is called once its body has ended, or its reader is gone. */
function whenEnded(response: Response, end: () => void): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream || !response.body) {
    end();
    return response;
  }
  // Not in place: the types of the platform have no `cancel`.
  const watch = { flush: end, cancel: end };
  const passedOn = new TransformStream<Uint8Array, Uint8Array>(watch);
  return new Response(response.body.pipeThrough(passedOn), response);
}
