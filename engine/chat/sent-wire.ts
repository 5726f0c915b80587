import { z } from "@hono/zod-openapi";
import { field, object } from "../http/fields.ts";
import { ContextWindow } from "../models/wire.ts";

/** The parts of a request to a model, in the order of their claim on its context window. */
export const SENT_KINDS = [
  "instructions",
  "tools",
  "summary",
  "question",
  "results",
  "history",
] as const;
const SentKind = z.enum(SENT_KINDS);
export type SentKind = z.infer<typeof SentKind>;

export const SentContext = object({
  ...ContextWindow.shape,
  inputTokens: field.integer("The tokens of the last request, as the engine estimates them."),
  parts: field.list(
    object({
      kind: SentKind.describe("What it is."),
      tokens: field.integer("Its tokens, as the engine estimates them."),
    }),
    "The parts of the last request.",
  ),
  dropped: field.list(
    object({
      kind: SentKind.describe("The part to which it belongs."),
      what: field.text("What was cut or left out."),
    }),
    "What had no room in any request of the turn; at most 100 entries.",
  ),
  notices: field.list(z.string(), "Sentences that a client shows below the answer."),
}).openapi("SentContext", { description: "What a turn sent to its model, and what had no room." });
export type SentContext = z.infer<typeof SentContext>;

export const TurnSource = object({
  rootIndex: field.nullableInteger(
    "The folder of the workspace, from 0; null for a file outside of them.",
  ),
  path: field.text("Relative to the folder; absolute where there is none."),
  startLine: field.nullableInteger("The first line, from 1; null where it is not known."),
  endLine: field.nullableInteger("The last line; null where it is not known."),
  from: field.choice(["search", "read"], "Whether a search found it, or a tool read it."),
  sensitive: field.flag("Whether the file was withheld: then the model got its path alone."),
}).openapi("TurnSource", { description: "A passage of a file that a turn sent to its model." });
export type TurnSource = z.infer<typeof TurnSource>;
