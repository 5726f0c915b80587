import { z } from "@hono/zod-openapi";
import { errors, jsonText, noContent, ok } from "../../shared/http/responses.ts";
import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { get, remove } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { uuidParam } from "../http/wire.ts";
import { deleteGrant, grantsOf } from "./store.ts";
import { ApprovalGrant, GrantsQuery } from "./wire.ts";

/** Approvals that are remembered; additive. They are made at `POST /approvals/{uuid}`. */
export function grantRoutes(deps: Pick<EngineDeps, "db" | "clock" | "timers" | "changes">) {
  return createRouter({ details: true, tag: "turns" }, [
    get("/approval-grants", {
      operationId: "listApprovalGrants",
      summary: "List the approvals that are remembered, the newest first",
      description:
        "The list of an unknown workspace or thread is empty. `remember` of `POST /approvals/{uuid}` makes a grant.",
      request: { query: GrantsQuery },
      responses: { ...ok(z.array(ApprovalGrant)), ...errors(400) },
      handler: async (query) => jsonText(await readList(deps, grantsOf(query, deps.clock.now()))),
    }),
    remove("/approval-grants/{uuid}", {
      operationId: "deleteApprovalGrant",
      summary: "Delete an approval that is remembered",
      description: "Calls that it covered are asked about again, from the next one on.",
      request: { params: uuidParam("the grant") },
      responses: { ...noContent, ...errors(404) },
      handler: async ({ uuid }) => {
        if (!(await deleteGrant(deps, uuid))) throw notFound("Grant");
      },
    }),
  ]);
}
