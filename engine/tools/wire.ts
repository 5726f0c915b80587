import { z } from "@hono/zod-openapi";
import { TOOL_TYPES, type ToolConfigurationRow } from "../db/schema.ts";
import { field, object } from "../http/fields.ts";
import { optionalText, toWire, withTextsOf } from "../http/wire.ts";
import { JSON_FIELDS } from "../policies/json-fields.ts";
import { OPERATIONS } from "../policies/operations.ts";
import type { BuiltinTool as BuiltinToolDefinition } from "./builtin/builtin.ts";

const ToolType = z.enum(TOOL_TYPES);

/** Engine §2, tool objects. */
const BuiltinTool = object({
  name: field.text("The name, as the model calls it."),
  doc: field.text("What it does, as the model reads it."),
  operation: field.choice(OPERATIONS, "What it does to data. The approval policy refers to it."),
}).openapi("BuiltinTool", { description: "A tool that the engine runs itself." });

/** Metadata only: the built-in chat tools do not run these records (Engine §2, tool rule 6). */
export const ToolConfiguration = object({
  id: field.integer("The number of the tool in the database."),
  uuid: field.text("The uuid of the tool."),
  name: field.text("The name."),
  alias: field.nullableText("The name to show; null where there is none."),
  description: field.nullableText("What the tool does; null where there is none."),
  toolType: ToolType.describe("What kind of tool it is."),
  scriptPath: field.nullableText("The path of the script, of a `script`; else null."),
  scriptLanguage: field.nullableText("The language of the script, of a `script`; else null."),
  endpointUrl: field.nullableText("The address, of an `api` or `mcp` tool; else null."),
  authType: field.nullableText("How requests are authorized; null where they are not."),
  hasAuthConfig: field.flag("Whether an auth configuration is stored."),
  status: field.text(
    "The state that the client keeps. Chat uses an `mcp` tool only while this is `active`.",
  ),
  createdAt: field.time("When it was created, ISO-8601 in UTC."),
  updatedAt: field.time("When it was last changed, ISO-8601 in UTC."),
}).openapi("ToolConfiguration", {
  description:
    "A configured tool: a record that chat does not run. An `mcp` tool is the exception: a workspace can switch its server on.",
});
export type ToolConfiguration = z.infer<typeof ToolConfiguration>;

/** For create and update alike; `configuration.ts` has the rules between the fields. */
export const UpsertToolConfiguration = object({
  ...withTextsOf(ToolConfiguration, {
    name: optionalText,
    alias: optionalText,
    description: optionalText,
    toolType: ToolType.nullish(),
    scriptPath: optionalText,
    scriptLanguage: optionalText,
    endpointUrl: optionalText,
    authType: z.literal("api_key").nullish(),
  }).shape,
  authConfigJson: optionalText.openapi({ writeOnly: true }).meta(JSON_FIELDS.authConfigJson),
  ...withTextsOf(ToolConfiguration, { status: optionalText }).shape,
  clearAuthConfig: z
    .boolean()
    .default(false)
    .describe("Whether an update removes the stored auth configuration; by default false."),
}).openapi("UpsertToolConfiguration", { description: "The fields of a configured tool." });
export type UpsertToolConfiguration = z.infer<typeof UpsertToolConfiguration>;

export const ToolCatalog = object({
  builtin: z.record(z.string(), z.array(BuiltinTool)).describe("The built-in tools, by group."),
  configured: field.list(ToolConfiguration, "The configured tools, sorted by alias or name."),
}).openapi("ToolCatalog", { description: "All tools." });
export type ToolCatalog = z.infer<typeof ToolCatalog>;

export function toToolConfiguration(row: ToolConfigurationRow): ToolConfiguration {
  return toWire(ToolConfiguration, { ...row, hasAuthConfig: row.sealedAuthConfig !== null });
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
