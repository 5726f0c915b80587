import { createRoute, z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import {
  allWorkspaces,
  deleteWorkspace,
  getWorkspace,
  insertWorkspace,
  replaceWorkspace,
  replaceWorkspacePolicy,
} from "./store.ts";
import {
  CreateWorkspace,
  ReplaceWorkspacePolicy,
  toWorkspace,
  Workspace,
  WorkspacePolicy,
} from "./wire.ts";

const getWorkspaces = createRoute({
  method: "get",
  path: "/workspaces",
  responses: { ...ok(z.array(Workspace)) },
});

const postWorkspace = createRoute({
  method: "post",
  path: "/workspaces",
  request: { ...body(CreateWorkspace) },
  responses: { ...ok(Workspace), ...errors(400) },
});

const getOne = createRoute({
  method: "get",
  path: "/workspaces/{uuid}",
  request: { params: UuidParam },
  responses: { ...ok(Workspace), ...errors(404) },
});

const putWorkspace = createRoute({
  method: "put",
  path: "/workspaces/{uuid}",
  request: { params: UuidParam, ...body(CreateWorkspace) },
  responses: { ...ok(Workspace), ...errors(400, 404) },
});

const removeWorkspace = createRoute({
  method: "delete",
  path: "/workspaces/{uuid}",
  request: { params: UuidParam },
  responses: { ...noContent, ...errors(404) },
});

const getPolicy = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/policy",
  request: { params: UuidParam },
  responses: { ...ok(WorkspacePolicy), ...errors(404) },
});

const putPolicy = createRoute({
  method: "put",
  path: "/workspaces/{uuid}/policy",
  request: { params: UuidParam, ...body(ReplaceWorkspacePolicy) },
  responses: { ...ok(WorkspacePolicy), ...errors(400, 404) },
});

type WorkspaceDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "changes" | "deletions">;

/** Workspaces (Engine §4). */
export function workspaceRoutes(deps: WorkspaceDeps) {
  const { db, clock, changes } = deps;
  const now = () => toIsoTime(clock.now());
  const publishUpdate = (workspaceUuid: string, changed: string[]) =>
    changes.publish({ type: "workspace.updated", data: { workspaceUuid, changed } });
  return createRouter({ details: true })
    .openapi(getWorkspaces, async () => jsonText<Workspace[]>(await readList(deps, allWorkspaces)))
    .openapi(postWorkspace, async (c) => {
      const ids = { uuid: crypto.randomUUID(), networkUuid: crypto.randomUUID() };
      const row = await insertWorkspace(db, { ...c.req.valid("json"), ...ids, now: now() });
      const workspace = toWorkspace(orNotFound(row));
      changes.publish({ type: "workspace.created", data: { workspaceUuid: workspace.uuid } });
      return c.json(workspace, 200);
    })
    .openapi(getOne, async (c) => {
      const row = await getWorkspace(db, c.req.valid("param").uuid);
      return c.json(toWorkspace(row), 200);
    })
    .openapi(putWorkspace, async (c) => {
      const { uuid } = c.req.valid("param");
      const before = toWorkspace(await getWorkspace(db, uuid));
      const input = { ...c.req.valid("json"), now: now() };
      const workspace = toWorkspace(orNotFound(await replaceWorkspace(db, uuid, input)));
      publishUpdate(uuid, changedFields(before, workspace));
      return c.json(workspace, 200);
    })
    .openapi(removeWorkspace, async (c) => {
      const { uuid } = c.req.valid("param");
      if (!(await deleteWorkspace(db, uuid, now()))) throw notFound("Workspace");
      deps.deletions.announce({ workspaceUuid: uuid });
      changes.publish({ type: "workspace.deleted", data: { workspaceUuid: uuid } });
      return c.body(null, 204);
    })
    .openapi(getPolicy, async (c) => {
      const { skillsConfig } = await getWorkspace(db, c.req.valid("param").uuid);
      return c.json({ skillsConfig }, 200);
    })
    .openapi(putPolicy, async (c) => {
      const { uuid } = c.req.valid("param");
      const policy = { skillsConfig: c.req.valid("json").skillsConfig ?? null };
      const { skillsConfig } = await getWorkspace(db, uuid);
      const found = await replaceWorkspacePolicy(db, uuid, policy.skillsConfig);
      if (!found) throw notFound("Workspace");
      publishUpdate(uuid, changedFields({ skillsConfig }, policy));
      return c.json(policy, 200);
    });
}

function orNotFound<Row>(row: Row | undefined): Row {
  if (!row) throw notFound("Workspace");
  return row;
}
