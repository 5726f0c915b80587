import type { UsageGroup, UsageTotal } from "../../../client/client.ts";

/** What the bars measure. */
export type Measure = "tokens" | "turns";

/** A day of the chart: the parts of its bar, in the order of the models. */
export interface DayBar {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  parts: readonly BarPart[];
  total: number;
}

/** A part of a bar. */
interface BarPart {
  model: string;
  value: number;
}

const DAY_MS = 86_400_000;

/** What stands for all models after the ones that have a shade of their own. */
const OTHER_MODELS = "other models";

const MODELS_SHADED_MAX = 5;

/** The days up to today, in UTC, the oldest first. */
export function lastDays(count: number, nowMs: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Tokens of prompts and answers together, or turns. Tokens that no provider reported count as none. */
export function amountOf(usage: UsageTotal, measure: Measure): number {
  if (measure === "turns") return usage.turns;
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** The dearest groups, the first ones. */
export function dearest(
  groups: readonly UsageGroup[],
  measure: Measure,
  count = groups.length,
): UsageGroup[] {
  return groups
    .toSorted((one, other) => amountOf(other, measure) - amountOf(one, measure))
    .slice(0, count);
}

/** The models of a range, those of the largest amount first; what follows the first ones is one entry. */
export function shadedModels(groups: readonly UsageGroup[], measure: Measure): string[] {
  const sorted = dearest(groups, measure).map(({ key }) => key);
  if (sorted.length <= MODELS_SHADED_MAX + 1) return sorted;
  return [...sorted.slice(0, MODELS_SHADED_MAX), OTHER_MODELS];
}

/** The bars of the days, each stacked by the models in their order. */
export function dayBars(
  days: readonly string[],
  byDay: ReadonlyMap<string, readonly UsageGroup[]>,
  models: readonly string[],
  measure: Measure,
): DayBar[] {
  return days.map((day) => {
    const amounts = new Map<string, number>();
    for (const group of byDay.get(day) ?? []) {
      const model = models.includes(group.key) ? group.key : OTHER_MODELS;
      amounts.set(model, (amounts.get(model) ?? 0) + amountOf(group, measure));
    }
    const order = [...models, ...(models.includes(OTHER_MODELS) ? [] : [OTHER_MODELS])];
    const parts = order.flatMap((model) => {
      const value = amounts.get(model) ?? 0;
      return value > 0 ? [{ model, value }] : [];
    });
    return { day, parts, total: parts.reduce((sum, { value }) => sum + value, 0) };
  });
}

/** The top of the axis: the next of 1, 2, 3, 4, 5, 6, 8, 10, 20 … that holds the tallest bar. */
export function axisTop(bars: readonly DayBar[]): number {
  const tallest = Math.max(1, ...bars.map(({ total }) => total));
  const power = 10 ** Math.floor(Math.log10(tallest));
  return (
    [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((top) => top >= tallest) ?? tallest
  );
}
