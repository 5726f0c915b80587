import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { get, post, put, remove } from "../../shared/http/route.ts";
import { readList } from "../db/list.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound, orNotFound } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import {
  allWorkspaces,
  deleteWorkspace,
  getWorkspace,
  insertWorkspace,
  replaceInstructions,
  replaceWorkspace,
  replaceWorkspacePolicy,
} from "./store.ts";
import {
  CreateWorkspace,
  ReplaceWorkspacePolicy,
  toWorkspace,
  Workspace,
  WorkspaceInstructions,
  WorkspacePolicy,
} from "./wire.ts";

type WorkspaceDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "changes" | "deletions">;

/** Workspaces (Engine §4). */
export function workspaceRoutes(deps: WorkspaceDeps) {
  const { db, clock, changes } = deps;
  const now = () => toIsoTime(clock.now());
  const publishUpdate = (workspaceUuid: string, changed: string[]) =>
    changes.publish({ type: "workspace.updated", data: { workspaceUuid, changed } });
  return createRouter({ details: true, tag: "workspaces" }, [
    get("/workspaces", {
      operationId: "listWorkspaces",
      summary: "List all workspaces, ordered by name",
      description: "The response has all workspaces; there are no pages.",
      responses: ok(z.array(Workspace)),
      handler: async () => jsonText<Workspace[]>(await readList(deps, allWorkspaces)),
    }),
    post("/workspaces", {
      operationId: "createWorkspace",
      summary: "Create a workspace",
      description: "Only `name` is required. Its folders are in `directories`.",
      request: body(CreateWorkspace),
      responses: { ...ok(Workspace), ...errors(400) },
      handler: async (c) => {
        const ids = { uuid: crypto.randomUUID(), networkUuid: crypto.randomUUID() };
        const row = await insertWorkspace(db, { ...c.req.valid("json"), ...ids, now: now() });
        const workspace = toWorkspace(orNotFound(row, "Workspace"));
        changes.publish({ type: "workspace.created", data: { workspaceUuid: workspace.uuid } });
        return c.json(workspace, 200);
      },
    }),
    get("/workspaces/{uuid}", {
      operationId: "getWorkspace",
      summary: "Get a workspace",
      description: "Strings that hold JSON are returned as they were stored.",
      request: { params: UuidParam },
      responses: { ...ok(Workspace), ...errors(404) },
      handler: async (c) => {
        const row = await getWorkspace(db, c.req.valid("param").uuid);
        return c.json(toWorkspace(row), 200);
      },
    }),
    put("/workspaces/{uuid}", {
      operationId: "updateWorkspace",
      summary: "Replace the fields of a workspace",
      description:
        "Every field that is left out becomes null: send what you read, with your changes.",
      request: { params: UuidParam, ...body(CreateWorkspace) },
      responses: { ...ok(Workspace), ...errors(400, 404) },
      handler: async (c) => {
        const { uuid } = c.req.valid("param");
        const before = toWorkspace(await getWorkspace(db, uuid));
        const input = { ...c.req.valid("json"), now: now() };
        const row = orNotFound(await replaceWorkspace(db, uuid, input), "Workspace");
        const workspace = toWorkspace(row);
        publishUpdate(uuid, changedFields(before, workspace));
        return c.json(workspace, 200);
      },
    }),
    remove("/workspaces/{uuid}", {
      operationId: "deleteWorkspace",
      summary: "Delete a workspace with its threads, messages and records",
      description: "Its folders and their indexes stay. Running turns end.",
      request: { params: UuidParam },
      responses: { ...noContent, ...errors(404) },
      handler: async (c) => {
        const { uuid } = c.req.valid("param");
        if (!(await deleteWorkspace(db, uuid, now()))) throw notFound("Workspace");
        deps.deletions.announce({ workspaceUuid: uuid });
        changes.publish({ type: "workspace.deleted", data: { workspaceUuid: uuid } });
        return c.body(null, 204);
      },
    }),
    get("/workspaces/{uuid}/policy", {
      operationId: "getWorkspacePolicy",
      summary: "Get the skills of a workspace",
      description: "`GET /workspaces/{uuid}` does not have them.",
      request: { params: UuidParam },
      responses: { ...ok(WorkspacePolicy), ...errors(404) },
      handler: async (c) => {
        const { skillsConfig } = await getWorkspace(db, c.req.valid("param").uuid);
        return c.json({ skillsConfig }, 200);
      },
    }),
    put("/workspaces/{uuid}/policy", {
      operationId: "updateWorkspacePolicy",
      summary: "Replace the skills of a workspace",
      description: "A field that is left out becomes null.",
      request: { params: UuidParam, ...body(ReplaceWorkspacePolicy) },
      responses: { ...ok(WorkspacePolicy), ...errors(400, 404) },
      handler: async (c) => {
        const { uuid } = c.req.valid("param");
        const policy = { skillsConfig: c.req.valid("json").skillsConfig ?? null };
        const { skillsConfig } = await getWorkspace(db, uuid);
        const found = await replaceWorkspacePolicy(db, uuid, policy.skillsConfig);
        if (!found) throw notFound("Workspace");
        publishUpdate(uuid, changedFields({ skillsConfig }, policy));
        return c.json(policy, 200);
      },
    }),
    get("/workspaces/{uuid}/instructions", {
      operationId: "getWorkspaceInstructions",
      summary: "Get the instructions of a workspace",
      description: "Without any, `text` is empty and `useAgentsFile` is false.",
      request: { params: UuidParam },
      responses: { ...ok(WorkspaceInstructions), ...errors(404) },
      handler: async (c) => {
        const row = await getWorkspace(db, c.req.valid("param").uuid);
        return c.json(toInstructions(row), 200);
      },
    }),
    put("/workspaces/{uuid}/instructions", {
      operationId: "updateWorkspaceInstructions",
      summary: "Replace the instructions of a workspace",
      description: "Both fields are required. They hold from the next turn on.",
      request: { params: UuidParam, ...body(WorkspaceInstructions) },
      responses: { ...ok(WorkspaceInstructions), ...errors(400, 404) },
      handler: async (c) => {
        const { uuid } = c.req.valid("param");
        const instructions = c.req.valid("json");
        const before = toInstructions(await getWorkspace(db, uuid));
        if (!(await replaceInstructions(db, uuid, instructions))) throw notFound("Workspace");
        const changed = changedFields(before, instructions);
        publishUpdate(uuid, changed.length > 0 ? ["instructions"] : []);
        return c.json(instructions, 200);
      },
    }),
  ]);
}

function toInstructions({ instructions, useAgentsFile }: WorkspaceRow): WorkspaceInstructions {
  return { text: instructions ?? "", useAgentsFile };
}
