import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { body, errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound, orNotFound } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { get, post, put, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { toWire, UuidParam } from "../http/wire.ts";
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

type WorkspaceDeps = Pick<EngineDeps, "db" | "clock" | "timers" | "changes">;

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
      handler: async () => jsonText(await readList(deps, allWorkspaces)),
    }),
    post("/workspaces", {
      operationId: "createWorkspace",
      summary: "Create a workspace",
      description: "Only `name` is required. Its folders are in `directories`.",
      request: body(CreateWorkspace),
      responses: { ...ok(Workspace), ...errors(400) },
      handler: async ({ body }) => {
        const ids = { uuid: crypto.randomUUID(), networkUuid: crypto.randomUUID() };
        const row = await insertWorkspace(db, { ...body, ...ids, now: now() });
        const workspace = toWorkspace(orNotFound(row, "Workspace"));
        changes.publish({ type: "workspace.created", data: { workspaceUuid: workspace.uuid } });
        return workspace;
      },
    }),
    get("/workspaces/{uuid}", {
      operationId: "getWorkspace",
      summary: "Get a workspace",
      description: "Strings that hold JSON are returned as they were stored.",
      request: { params: UuidParam },
      responses: { ...ok(Workspace), ...errors(404) },
      handler: async ({ uuid }) => toWorkspace(await getWorkspace(db, uuid)),
    }),
    put("/workspaces/{uuid}", {
      operationId: "updateWorkspace",
      summary: "Replace the fields of a workspace",
      description:
        "Every field that is left out becomes null: send what you read, with your changes.",
      request: { params: UuidParam, ...body(CreateWorkspace) },
      responses: { ...ok(Workspace), ...errors(400, 404) },
      handler: async ({ uuid, body }) => {
        const before = toWorkspace(await getWorkspace(db, uuid));
        const row = await replaceWorkspace(db, uuid, { ...body, now: now() });
        const workspace = toWorkspace(orNotFound(row, "Workspace"));
        publishUpdate(uuid, changedFields(before, workspace));
        return workspace;
      },
    }),
    remove("/workspaces/{uuid}", {
      operationId: "deleteWorkspace",
      summary: "Delete a workspace with its threads, messages and records",
      description: "Its folders and their indexes stay. Running turns end.",
      request: { params: UuidParam },
      responses: { ...noContent, ...errors(404) },
      handler: async ({ uuid }) => {
        if (!(await deleteWorkspace(db, uuid, now()))) throw notFound("Workspace");
        changes.publish({ type: "workspace.deleted", data: { workspaceUuid: uuid } });
      },
    }),
    get("/workspaces/{uuid}/policy", {
      operationId: "getWorkspacePolicy",
      summary: "Get the skills of a workspace",
      description: "`GET /workspaces/{uuid}` does not have them.",
      request: { params: UuidParam },
      responses: { ...ok(WorkspacePolicy), ...errors(404) },
      handler: async ({ uuid }) => toWire(WorkspacePolicy, await getWorkspace(db, uuid)),
    }),
    put("/workspaces/{uuid}/policy", {
      operationId: "updateWorkspacePolicy",
      summary: "Replace the skills of a workspace",
      description: "A field that is left out becomes null.",
      request: { params: UuidParam, ...body(ReplaceWorkspacePolicy) },
      responses: { ...ok(WorkspacePolicy), ...errors(400, 404) },
      handler: async ({ uuid, body }) => {
        const policy = { skillsConfig: body.skillsConfig ?? null };
        const before = toWire(WorkspacePolicy, await getWorkspace(db, uuid));
        if (!(await replaceWorkspacePolicy(db, uuid, policy))) throw notFound("Workspace");
        publishUpdate(uuid, changedFields(before, policy));
        return policy;
      },
    }),
    get("/workspaces/{uuid}/instructions", {
      operationId: "getWorkspaceInstructions",
      summary: "Get the instructions of a workspace",
      description: "Without any, `text` is empty and `useAgentsFile` is false.",
      request: { params: UuidParam },
      responses: { ...ok(WorkspaceInstructions), ...errors(404) },
      handler: async ({ uuid }) => toInstructions(await getWorkspace(db, uuid)),
    }),
    put("/workspaces/{uuid}/instructions", {
      operationId: "updateWorkspaceInstructions",
      summary: "Replace the instructions of a workspace",
      description: "Both fields are required. They hold from the next turn on.",
      request: { params: UuidParam, ...body(WorkspaceInstructions) },
      responses: { ...ok(WorkspaceInstructions), ...errors(400, 404) },
      handler: async ({ uuid, body: instructions }) => {
        const before = toInstructions(await getWorkspace(db, uuid));
        if (!(await replaceInstructions(db, uuid, instructions))) throw notFound("Workspace");
        const changed = changedFields(before, instructions);
        publishUpdate(uuid, changed.length > 0 ? ["instructions"] : []);
        return instructions;
      },
    }),
  ]);
}

function toInstructions({ instructions, useAgentsFile }: WorkspaceRow): WorkspaceInstructions {
  return { text: instructions ?? "", useAgentsFile };
}
