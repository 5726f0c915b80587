import { z } from "@hono/zod-openapi";
import type { WorkspaceRow } from "../db/schema.ts";
import { storedText } from "../http/wire.ts";

const optionalText = storedText.nullish();

/** Engine §2: policies are JSON encoded as strings, parsed when they are used. */
export const Workspace = z
  .object({
    id: z.number().int(),
    uuid: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    defaultModelId: z.string().nullable(),
    toolsConfig: z.string().nullable(),
    directories: z.string().nullable(),
    approvalConfig: z.string().nullable(),
    ragConfig: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("Workspace");
export type Workspace = z.infer<typeof Workspace>;

/** Also the body of a replacement, where every omitted field becomes null. */
export const CreateWorkspace = z
  .object({
    name: storedText.min(1),
    description: optionalText,
    defaultModelId: optionalText,
    toolsConfig: optionalText,
    directories: optionalText,
    approvalConfig: optionalText,
    ragConfig: optionalText,
  })
  .openapi("CreateWorkspace");
export type CreateWorkspace = z.infer<typeof CreateWorkspace>;

/** The chat settings of a workspace. They are not part of its REST object. */
export const WorkspacePolicy = z
  .object({ skillsConfig: z.string().nullable() })
  .openapi("WorkspacePolicy");

export const ReplaceWorkspacePolicy = z
  .object({ skillsConfig: optionalText })
  .openapi("ReplaceWorkspacePolicy");

export function toWorkspace(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    defaultModelId: row.defaultModelId,
    toolsConfig: row.toolsConfig,
    directories: row.directories,
    approvalConfig: row.approvalConfig,
    ragConfig: row.ragConfig,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
