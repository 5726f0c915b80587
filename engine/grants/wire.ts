import { z } from "@hono/zod-openapi";
import { GRANT_MATCHES } from "../db/schema.ts";
import { field, object } from "../http/fields.ts";

const GRANT_SCOPES = ["thread", "workspace"] as const;

const scope = field.choice(
  GRANT_SCOPES,
  "Where it holds: in one thread, or in all threads of the workspace.",
);
const match = field.choice(
  GRANT_MATCHES,
  "Which calls it covers: all of the tool, or those whose paths lie below one folder.",
);

export const Remember = object({ scope, match }).openapi("Remember", {
  description: "For which calls the approval holds from now on.",
});
export type Remember = z.infer<typeof Remember>;

export const ApprovalGrant = object({
  uuid: field.text("The uuid of the grant."),
  scope,
  workspaceUuid: field.text("The uuid of its workspace."),
  threadUuid: field.nullableText("The uuid of its thread; null if it holds in the workspace."),
  toolName: field.text("The name of the tool."),
  server: field.nullableText(
    "The uuid of the configured tool that is its MCP server; null for other tools.",
  ),
  match,
  pathPrefix: field.nullableText(
    "The real path of the folder; null if the grant covers all calls of the tool.",
  ),
  createdAt: field.time("When it was made, ISO-8601 in UTC."),
  expiresAt: field.nullableTime("When it ends, ISO-8601 in UTC; null if it ends with its thread."),
  lastUsedAt: field.nullableTime(
    "When it last covered a call, ISO-8601 in UTC; null before the first one.",
  ),
}).openapi("ApprovalGrant", {
  description: "An approval that is remembered: calls that it covers run without asking.",
});
export type ApprovalGrant = z.infer<typeof ApprovalGrant>;

export const GrantsQuery = object({
  workspaceUuid: z.string().optional().describe("Only grants of this workspace and its threads."),
  threadUuid: z.string().optional().describe("Only grants of this thread."),
});
export type GrantsQuery = z.infer<typeof GrantsQuery>;
