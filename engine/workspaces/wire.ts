import { z } from "@hono/zod-openapi";
import { utf8 } from "../../shared/bytes.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import { field, object } from "../http/fields.ts";
import { optionalText, storedText, toWire, withTextsOf } from "../http/wire.ts";
import { INSTRUCTIONS_BYTES_MAX } from "../limits.ts";
import { JSON_FIELDS } from "../policies/json-fields.ts";

/** Engine §2: policies are JSON encoded as strings, parsed when they are used. */
export const Workspace = object({
  id: field.integer("The number of the workspace in the database."),
  uuid: field.text("The uuid of the workspace."),
  name: field.text("The name; not empty."),
  description: field.nullableText("What the workspace is for; null where there is none."),
  defaultModelId: field.nullableText(
    "The id of the model configuration of new turns; null is the engine's default.",
  ),
  toolsConfig: z.string().nullable().meta(JSON_FIELDS.toolsConfig),
  directories: z.string().nullable().meta(JSON_FIELDS.directories),
  approvalConfig: z.string().nullable().meta(JSON_FIELDS.approvalConfig),
  ragConfig: z.string().nullable().meta(JSON_FIELDS.ragConfig),
  createdAt: field.time("When it was created, ISO-8601 in UTC."),
  updatedAt: field.time("When it was last changed, ISO-8601 in UTC."),
}).openapi("Workspace", { description: "A workspace." });
export type Workspace = z.infer<typeof Workspace>;

/** Also the body of a replacement, where every omitted field becomes null. */
export const CreateWorkspace = withTextsOf(Workspace, {
  name: storedText.min(1),
  description: optionalText,
  defaultModelId: optionalText,
  toolsConfig: optionalText,
  directories: optionalText,
  approvalConfig: optionalText,
  ragConfig: optionalText,
}).openapi("CreateWorkspace", {
  description: "The fields of a workspace; one that is left out becomes null.",
});
export type CreateWorkspace = z.infer<typeof CreateWorkspace>;

/** The chat settings of a workspace. They are not part of its REST object. */
export const WorkspacePolicy = object({
  skillsConfig: z.string().nullable().meta(JSON_FIELDS.skillsConfig),
}).openapi("WorkspacePolicy", { description: "The skills of a workspace." });

export const ReplaceWorkspacePolicy = withTextsOf(WorkspacePolicy, {
  skillsConfig: optionalText,
}).openapi("ReplaceWorkspacePolicy", {
  description: "The new policy; a field that is left out becomes null.",
});

/** What every turn of a workspace is sent. They are not part of its REST object. */
export const WorkspaceInstructions = object({
  text: storedText
    .refine((text) => utf8(text).length <= INSTRUCTIONS_BYTES_MAX, "must have at most 32 KiB")
    .describe("What each turn is sent, after the engine's own instructions; empty for nothing."),
  useAgentsFile: field.flag(
    "Whether the file `AGENTS.md` of each root is added, as it is at each turn.",
  ),
}).openapi("WorkspaceInstructions", { description: "The instructions of a workspace." });
export type WorkspaceInstructions = z.infer<typeof WorkspaceInstructions>;

export function toWorkspace(row: WorkspaceRow): Workspace {
  return toWire(Workspace, row);
}
