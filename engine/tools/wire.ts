import { z } from "@hono/zod-openapi";
import { TOOL_TYPES, type ToolConfigurationRow } from "../db/schema.ts";
import { storedText } from "../http/wire.ts";
import { OPERATIONS } from "../policies/operations.ts";
import type { BuiltinTool as BuiltinToolDefinition } from "./builtin/builtin.ts";

const ToolType = z.enum(TOOL_TYPES);
const optionalText = storedText.nullish();

/** Engine §2, tool objects. */
export const BuiltinTool = z
  .object({
    name: z.string(),
    doc: z.string(),
    operation: z.enum(OPERATIONS),
  })
  .openapi("BuiltinTool");

/** Metadata only: the built-in chat tools do not run these records (Engine §2, tool rule 6). */
export const ToolConfiguration = z
  .object({
    id: z.int(),
    uuid: z.string(),
    name: z.string(),
    alias: z.string().nullable(),
    description: z.string().nullable(),
    toolType: ToolType,
    scriptPath: z.string().nullable(),
    scriptLanguage: z.string().nullable(),
    endpointUrl: z.string().nullable(),
    authType: z.string().nullable(),
    hasAuthConfig: z.boolean(),
    status: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("ToolConfiguration");
export type ToolConfiguration = z.infer<typeof ToolConfiguration>;

/** For create and update alike; `configuration.ts` has the rules between the fields. */
export const UpsertToolConfiguration = z
  .object({
    name: optionalText,
    alias: optionalText,
    description: optionalText,
    toolType: ToolType.nullish(),
    scriptPath: optionalText,
    scriptLanguage: optionalText,
    endpointUrl: optionalText,
    authType: z.literal("api_key").nullish(),
    authConfigJson: optionalText.openapi({ writeOnly: true }),
    status: optionalText,
    clearAuthConfig: z.boolean().default(false),
  })
  .openapi("UpsertToolConfiguration");
export type UpsertToolConfiguration = z.infer<typeof UpsertToolConfiguration>;

export const ToolCatalog = z
  .object({
    builtin: z.record(z.string(), z.array(BuiltinTool)),
    configured: z.array(ToolConfiguration),
  })
  .openapi("ToolCatalog");
export type ToolCatalog = z.infer<typeof ToolCatalog>;

export function toToolConfiguration(row: ToolConfigurationRow): ToolConfiguration {
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    alias: row.alias,
    description: row.description,
    toolType: row.toolType,
    scriptPath: row.scriptPath,
    scriptLanguage: row.scriptLanguage,
    endpointUrl: row.endpointUrl,
    authType: row.authType,
    hasAuthConfig: row.sealedAuthConfig !== null,
    status: row.status,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** The built-in tools by group. */
export function toBuiltinGroups(builtin: readonly BuiltinToolDefinition[]): ToolCatalog["builtin"] {
  const groups: ToolCatalog["builtin"] = {};
  for (const { group, name, doc, operation } of builtin) {
    groups[group] ??= [];
    groups[group].push({ name, doc, operation });
  }
  return groups;
}
