import type { Usage, UsageGroup } from "../../../client/client.ts";
import { engine } from "../session.ts";

/** The usage of a range of days. */
export interface RangeUsage {
  total: Usage["total"];
  models: readonly UsageGroup[];
  threads: readonly UsageGroup[];
  /** The models of each day on which a turn began. */
  byDay: ReadonlyMap<string, readonly UsageGroup[]>;
  /** The names of models by their ids. */
  names: ReadonlyMap<string, string>;
}

/**
 * Reads the usage of some days. The engine groups by one thing, so each day with turns is asked for its models.
 * @throws EngineError
 */
export async function loadUsage(days: readonly string[], signal: AbortSignal): Promise<RangeUsage> {
  const range = { from: days[0], to: days.at(-1) };
  const read = (groupBy: "day" | "model" | "thread", between = range) =>
    engine.turns.getUsage({ ...between, groupBy }, { signal });
  const [byModel, byThread, perDay, known] = await Promise.all([
    read("model"),
    read("thread"),
    read("day"),
    engine.models.list({ signal }),
  ]);
  const busy = perDay.groups.filter((group) => group.turns > 0).map(({ key }) => key);
  const byDay = await Promise.all(
    busy.map(async (day) => [day, (await read("model", { from: day, to: day })).groups] as const),
  );
  return {
    total: byModel.total,
    models: byModel.groups,
    threads: byThread.groups,
    byDay: new Map(byDay),
    names: new Map(known.map(({ id, name }) => [id, name])),
  };
}
