import type { InStatement } from "@libsql/client";
import type { Database } from "../../shared/database.ts";
import { USAGE_GROUPS_MAX } from "./limits.ts";
import type { Usage, UsageGroupBy } from "./usage-wire.ts";
import type { Turn } from "./wire.ts";

const ADDED = `ON CONFLICT (day, thread_uuid, model) DO UPDATE SET
  turns = turns + excluded.turns,
  turns_without_usage = turns_without_usage + excluded.turns_without_usage,
  input_tokens = CASE WHEN excluded.input_tokens IS NULL THEN input_tokens
    ELSE coalesce(input_tokens, 0) + excluded.input_tokens END,
  output_tokens = CASE WHEN excluded.output_tokens IS NULL THEN output_tokens
    ELSE coalesce(output_tokens, 0) + excluded.output_tokens END`;

const COLUMNS =
  "day, workspace_uuid, thread_uuid, model, turns, turns_without_usage, input_tokens, output_tokens";

const BEGUN = `INSERT INTO usage (${COLUMNS})
  SELECT substr(started_at, 1, 10), :workspaceUuid, :threadUuid, model, 1, 1, NULL, NULL
  FROM turns WHERE uuid = :uuid ${ADDED}`;

const ENDED = `INSERT INTO usage (${COLUMNS})
  SELECT substr(:startedAt, 1, 10), :workspaceUuid, :threadUuid, :model, 0, -1, :inputTokens, :outputTokens
  WHERE true ${ADDED}`;

/** Counts a turn on the day on which it begins; it has no effect where the turn was not stored. */
export function countTurnStatement(
  turn: Pick<Turn, "uuid" | "threadUuid" | "workspaceUuid">,
): InStatement {
  const { uuid, threadUuid, workspaceUuid } = turn;
  return { sql: BEGUN, args: { uuid, threadUuid, workspaceUuid } };
}

/** Adds the tokens of a turn that was counted; undefined where its provider reported none. */
export function addUsageStatement(turn: Omit<Turn, "state">): InStatement | undefined {
  const { threadUuid, workspaceUuid, model, startedAt, inputTokens, outputTokens } = turn;
  if (inputTokens === null && outputTokens === null) return undefined;
  const args = { threadUuid, workspaceUuid, model, startedAt, inputTokens, outputTokens };
  return { sql: ENDED, args };
}

/** Which turns an earlier process did not end. No index has them: those before are known to have ended. */
export const LEFT_RUNNING =
  "turns.state = 'running' AND turns.id > (SELECT up_to FROM earlier_turns)";

/** The same for the turns that were active when an earlier process ended. */
export const usageOfInterrupted = `INSERT INTO usage (${COLUMNS})
  SELECT substr(turns.started_at, 1, 10), w.uuid, t.uuid, turns.model, 0, -1, turns.input_tokens, turns.output_tokens
  FROM turns JOIN threads t ON t.id = turns.thread_id JOIN workspaces w ON w.id = t.workspace_id
    AND w.deleted_at IS NULL
  WHERE ${LEFT_RUNNING} AND coalesce(turns.input_tokens, turns.output_tokens) IS NOT NULL ${ADDED}`;

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
  'inputTokens', sum(input_tokens), 'outputTokens', sum(output_tokens)`;

/** One statement: the groups and their total are of one moment. */
function sumsBy(groupBy: UsageGroupBy): string {
  const order = groupBy === "day" ? ORDERS.day : ORDERS.other;
  return `WITH chosen AS (SELECT ${KEYS[groupBy]} AS key, * FROM usage WHERE day BETWEEN :from AND :to)
    SELECT
      (SELECT json_group_array(json(item)) FROM (
        SELECT json_object('key', key, ${SUMS}) AS item FROM chosen GROUP BY key ORDER BY ${order} LIMIT ${USAGE_GROUPS_MAX}
      )) AS groups,
      (SELECT json_object(${SUMS}) FROM chosen) AS total`;
}

/** What the turns that began on these days used. */
export async function sumUsage(
  db: Database,
  { groupBy, from, to }: { groupBy: UsageGroupBy; from: string; to: string },
): Promise<Usage> {
  const { rows } = await db.$client.execute({ sql: sumsBy(groupBy), args: { from, to } });
  const groups: Usage["groups"] = JSON.parse(String(rows[0]?.groups));
  if (groupBy === "day") groups.reverse();
  return { groups, total: JSON.parse(String(rows[0]?.total)) };
}
