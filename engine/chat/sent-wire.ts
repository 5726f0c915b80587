import { z } from "@hono/zod-openapi";
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

export const SentContext = z
  .object({
    ...ContextWindow.shape,
    inputTokens: z.int().describe("The tokens of the last request, as the engine estimates them."),
    parts: z
      .array(
        z.object({
          kind: SentKind.describe("What it is."),
          tokens: z.int().describe("Its tokens, as the engine estimates them."),
        }),
      )
      .describe("The parts of the last request."),
    dropped: z
      .array(
        z.object({
          kind: SentKind.describe("The part to which it belongs."),
          what: z.string().describe("What was cut or left out."),
        }),
      )
      .describe("What had no room in any request of the turn; at most 100 entries."),
    notices: z.array(z.string()).describe("Sentences that a client shows below the answer."),
  })
  .openapi("SentContext", { description: "What a turn sent to its model, and what had no room." });
export type SentContext = z.infer<typeof SentContext>;

export const TurnSource = z
  .object({
    rootIndex: z
      .int()
      .nullable()
      .describe("The folder of the workspace, from 0; null for a file outside of them."),
    path: z.string().describe("Relative to the folder; absolute where there is none."),
    startLine: z.int().nullable().describe("The first line, from 1; null where it is not known."),
    endLine: z.int().nullable().describe("The last line; null where it is not known."),
    from: z.enum(["search", "read"]).describe("Whether a search found it, or a tool read it."),
    sensitive: z
      .boolean()
      .describe("Whether the file was withheld: then the model got its path alone."),
  })
  .openapi("TurnSource", { description: "A passage of a file that a turn sent to its model." });
export type TurnSource = z.infer<typeof TurnSource>;
