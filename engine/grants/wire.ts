import { z } from "@hono/zod-openapi";
import { GRANT_MATCHES } from "../db/schema.ts";

const GRANT_SCOPES = ["thread", "workspace"] as const;

const scope = z
  .enum(GRANT_SCOPES)
  .describe("Where it holds: in one thread, or in all threads of the workspace.");
const match = z
  .enum(GRANT_MATCHES)
  .describe("Which calls it covers: all of the tool, or those whose paths lie below one folder.");

export const Remember = z.object({ scope, match }).openapi("Remember", {
  description: "For which calls the approval holds from now on.",
});
export type Remember = z.infer<typeof Remember>;

export const ApprovalGrant = z
  .object({
    uuid: z.string().describe("The uuid of the grant."),
    scope,
    workspaceUuid: z.string().describe("The uuid of its workspace."),
    threadUuid: z
      .string()
      .nullable()
      .describe("The uuid of its thread; null if it holds in the workspace."),
    toolName: z.string().describe("The name of the tool."),
    server: z
      .string()
      .nullable()
      .describe("The uuid of the configured tool that is its MCP server; null for other tools."),
    match,
    pathPrefix: z
      .string()
      .nullable()
      .describe("The real path of the folder; null if the grant covers all calls of the tool."),
    createdAt: z.iso.datetime().describe("When it was made, ISO-8601 in UTC."),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe("When it ends, ISO-8601 in UTC; null if it ends with its thread."),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .describe("When it last covered a call, ISO-8601 in UTC; null before the first one."),
  })
  .openapi("ApprovalGrant", {
    description: "An approval that is remembered: calls that it covers run without asking.",
  });
export type ApprovalGrant = z.infer<typeof ApprovalGrant>;

export const GrantsQuery = z.object({
  workspaceUuid: z.string().optional().describe("Only grants of this workspace and its threads."),
  threadUuid: z.string().optional().describe("Only grants of this thread."),
});
export type GrantsQuery = z.infer<typeof GrantsQuery>;
