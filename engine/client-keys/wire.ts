import { z } from "@hono/zod-openapi";
import { CLIENT_SCOPES } from "../db/schema.ts";
import { field, object } from "../http/fields.ts";
import { storedText } from "../http/wire.ts";
import { CLIENT_KEY_NAME_CHARACTERS_MAX } from "./limits.ts";

const Scope = z.enum(CLIENT_SCOPES);
/** What a client key may use. */
export type ClientScope = z.infer<typeof Scope>;

export const ClientKey = object({
  uuid: field.text("The uuid of the key; it is not secret."),
  name: field.text("The program that has the key."),
  scopes: field.list(Scope, "What the key may use."),
  workspaceUuids: z
    .array(z.string())
    .nullable()
    .describe("The workspaces that the key reaches; null: all."),
  createdAt: field.time("When it was made, ISO-8601 in UTC."),
  expiresAt: field.time("When it ends, ISO-8601 in UTC."),
  lastUsedAt: field.nullableTime("When it was used last, to the minute; null if never."),
}).openapi("ClientKey", {
  description: "A key of another program for the OpenAI-compatible interface.",
});
export type ClientKey = z.infer<typeof ClientKey>;

/** A key when it is made: the only response with the key itself. */
export const NewClientKey = ClientKey.extend({
  key: field.text("The key itself. No other response has it: only a hash is stored."),
}).openapi("NewClientKey", { description: "A client key that was just made." });
export type NewClientKey = z.infer<typeof NewClientKey>;

export const CreateClientKey = object({
  name: storedText
    .max(CLIENT_KEY_NAME_CHARACTERS_MAX)
    .refine((name) => name.trim() !== "", "must not be blank")
    .describe("The program that has the key; not blank."),
  scopes: z
    .array(Scope)
    .min(1)
    .transform((scopes) => [...new Set(scopes)])
    .describe("What the key may use: bare models, workspaces as models, the embedder."),
  workspaceUuids: z
    .array(z.string())
    .min(1)
    .nullish()
    .transform((uuids) => uuids && [...new Set(uuids)])
    .describe("The workspaces that the key reaches; all if it is null or left out."),
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe("When it ends, ISO-8601; in 90 days if it is null or left out."),
}).openapi("CreateClientKey", { description: "The client key to make." });
export type CreateClientKey = z.infer<typeof CreateClientKey>;
