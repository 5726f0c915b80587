import { z } from "@hono/zod-openapi";
import { toIsoTime } from "../../shared/clock.ts";
import { invalid } from "../errors.ts";
import { field, object } from "../http/fields.ts";
import { USAGE_DAYS_DEFAULT } from "./limits.ts";

const DAY_MS = 24 * 60 * 60_000;

const used = {
  turns: field.integer("How many turns began."),
  turnsWithoutUsage: field.integer("Turns whose provider reported no tokens"),
  inputTokens: field.nullableInteger("Tokens of the prompts; null where no provider reported any."),
  outputTokens: field.nullableInteger(
    "Tokens of the answers; null where no provider reported any.",
  ),
  cachedInputTokens: field.nullableInteger(
    "Those of the prompts that came from a cache; null where no provider reported any.",
  ),
};

/** What some turns used together; tokens are null if none of them reported any. */
const UsageTotal = object(used).openapi("UsageTotal", {
  description: "The turns and tokens of all days.",
});

/** What the turns of a day, model, workspace or thread used. */
const UsageGroup = object({
  key: field.text("The day, the model, or the uuid of the workspace or thread."),
  ...used,
}).openapi("UsageGroup", {
  description: "The turns and tokens of one day, model, workspace or thread.",
});

export const Usage = object({
  groups: field.list(UsageGroup, "One entry for each group."),
  // Lazy: a text of its own beside the reference.
  total: z.lazy(() => UsageTotal).describe("The sum over all turns."),
}).openapi("Usage", { description: "The turns and tokens of some days." });
export type Usage = z.infer<typeof Usage>;

const Day = z.iso.date();

export const UsageQuery = object({
  from: Day.optional().describe("The first day; by default, 29 days before the last."),
  to: Day.optional().describe("The last day, which is included; today by default."),
  groupBy: z
    .enum(["day", "model", "workspace", "thread"])
    .default("day")
    .describe("What turns are grouped by; `day` by default."),
});
export type UsageGroupBy = z.infer<typeof UsageQuery>["groupBy"];

/**
 * The days that are summed, both included: up to today if `to` is left out, 30 days if `from` is.
 * @throws EngineError `invalid` if `from` is after `to`.
 */
export function toUsageRange(
  given: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
): { from: string; to: string } {
  const to = given.to ?? toDay(nowMs);
  const from = given.from ?? toDay(Date.parse(to) - (USAGE_DAYS_DEFAULT - 1) * DAY_MS);
  if (given.to !== undefined && from > to) {
    throw invalid("The request is not valid.", "from: must not be after to");
  }
  return { from, to };
}

/** The day in UTC on which what is used counts: `YYYY-MM-DD`. */
export function toDay(timeMs: number): string {
  return toIsoTime(timeMs).slice(0, "YYYY-MM-DD".length);
}
