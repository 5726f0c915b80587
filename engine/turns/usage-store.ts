import type { Database } from "../../shared/database.ts";
import { USAGE_GROUPS_MAX } from "./limits.ts";
import { tokenCount } from "./store.ts";
import type { Usage, UsageGroupBy } from "./usage-wire.ts";

/** SQL of each column of tokens. */
const ofTokens = (toSql: (column: string) => string): string =>
  ["input_tokens", "output_tokens", "cached_input_tokens"].map(toSql).join(", ");

const COLUMNS = `day, workspace_uuid, thread_uuid, model, turns, turns_without_usage, ${ofTokens((column) => column)}`;

/** The usage of turns that have not ended. They are few, and an index finds them. */
export const USED_BY_ACTIVE = `SELECT substr(active.started_at, 1, 10) AS day, w.uuid AS workspace_uuid, t.uuid AS thread_uuid,
    active.model, ${ofTokens((column) => `${tokenCount(`active.${column}`)} AS ${column}`)}
  FROM turns AS active CROSS JOIN threads t ON t.id = active.thread_id
    CROSS JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
  WHERE active.state <> 'completed' AND active.state IN ('running', 'waiting')`;

const TURNS = "count(*), count(*) FILTER (WHERE coalesce(input_tokens, output_tokens) IS NULL)";

// What no turn used counts, too: that of a compaction.
const counted = (column: string) => tokenCount(`usage.${column}`, "(usage.turns + 1)");

const summed = (used: string, turns = TURNS): string =>
  `SELECT day, workspace_uuid, thread_uuid, model, ${turns}, ${ofTokens((column) => `sum(${column})`)} FROM (${used}) GROUP BY day, workspace_uuid, thread_uuid, model`;

const added = (column: string) => `${column} = CASE
        WHEN excluded.${column} IS NULL THEN ${column} ELSE coalesce(${counted(column)}, 0) + excluded.${column} END`;

/** The SQL that adds turns to the sums, or tokens that were used beside turns. `used` is a query as `USED_BY_ACTIVE`. */
export function countStatement(used: string, { beside = false } = {}): string {
  return `INSERT INTO usage (${COLUMNS}) ${summed(used, beside ? "0, 0" : TURNS)}
    ON CONFLICT (day, thread_uuid, model) DO UPDATE SET
      turns = turns + excluded.turns,
      turns_without_usage = turns_without_usage + excluded.turns_without_usage,
      ${ofTokens(added)}`;
}

const KEYS: Record<UsageGroupBy, string> = {
  day: "day",
  model: "model",
  workspace: "workspace_uuid",
  thread: "thread_uuid",
};

// Days in their order, of which the newest count; of all else the largest first.
const ORDERS: Record<"day" | "other", string> = {
  day: "key DESC",
  other:
    "coalesce(sum(input_tokens), 0) + coalesce(sum(output_tokens), 0) DESC, sum(turns) DESC, key",
};

const SUMS = `'turns', coalesce(sum(turns), 0), 'turnsWithoutUsage', coalesce(sum(turns_without_usage), 0),
  'inputTokens', sum(input_tokens), 'outputTokens', sum(output_tokens),
  'cachedInputTokens', sum(cached_input_tokens)`;

const STORED = `SELECT day, workspace_uuid, thread_uuid, model, turns,
  iif(coalesce(${counted("input_tokens")}, ${counted("output_tokens")}) IS NULL, turns, turns_without_usage) AS turns_without_usage,
  ${ofTokens((column) => `${counted(column)} AS ${column}`)} FROM usage`;

/** One statement: the groups and their total are of one moment. */
function sumsBy(groupBy: UsageGroupBy): string {
  const order = groupBy === "day" ? ORDERS.day : ORDERS.other;
  return `WITH used AS (${STORED} UNION ALL ${summed(USED_BY_ACTIVE)}),
    chosen AS (SELECT ${KEYS[groupBy]} AS key, * FROM used WHERE day BETWEEN :from AND :to)
    SELECT
      (SELECT json_group_array(json(item)) FROM (
        SELECT json_object('key', key, ${SUMS}) AS item FROM chosen GROUP BY key ORDER BY ${order} LIMIT ${USAGE_GROUPS_MAX}
      )) AS groups,
      (SELECT json_object(${SUMS}) FROM chosen) AS total`;
}

/** What the turns that began on these days used, also those that run. */
export async function sumUsage(
  db: Database,
  { groupBy, from, to }: { groupBy: UsageGroupBy; from: string; to: string },
): Promise<Usage> {
  const { rows } = await db.$client.execute({ sql: sumsBy(groupBy), args: { from, to } });
  const groups: Usage["groups"] = JSON.parse(String(rows[0]?.groups));
  if (groupBy === "day") groups.reverse();
  return { groups, total: JSON.parse(String(rows[0]?.total)) };
}
