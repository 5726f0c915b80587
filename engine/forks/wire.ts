import { z } from "@hono/zod-openapi";
import { field, object } from "../http/fields.ts";
import { storedText, withTextsOf } from "../http/wire.ts";

export const CreateFork = object({
  throughMessageUuid: z
    .string()
    .nullish()
    .describe("The last message to copy; all messages are copied where it is left out."),
  title: storedText.nullish().describe("The title; that of the thread where it is left out."),
}).openapi("CreateFork", { description: "What of a thread is copied." });

const replaced = field.nullableText(
  "The user message of the origin that was replaced; null for a plain fork.",
);

export const Fork = object({
  threadUuid: field.text("The uuid of the fork."),
  throughMessageUuid: field.nullableText(
    "The last message of the origin that was copied; null where none was.",
  ),
  replacedMessageUuid: replaced,
  replacementMessageUuid: field.nullableText(
    "The message of the fork in its place; null for a plain fork.",
  ),
  createdAt: field.time("When the fork was made, ISO-8601 in UTC."),
}).openapi("Fork", { description: "A fork of a thread: a thread that began as its copy." });
export type Fork = z.infer<typeof Fork>;

export const ForkOrigin = object({
  threadUuid: field.text("The uuid of the thread that was copied."),
  messageUuid: field.nullableText("Its last message that was copied; null where none was."),
  ...withTextsOf(Fork, {
    replacedMessageUuid: z.string().nullable(),
    replacementMessageUuid: z.string().nullable(),
  }).shape,
}).openapi("ForkOrigin", { description: "Where a fork came from." });
export type ForkOrigin = z.infer<typeof ForkOrigin>;
