import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import type { EngineDeps } from "../deps.ts";
import { NOT_SETTLED, tokenCount } from "./store.ts";
import { countStatement, USED } from "./usage-store.ts";
import type { Turn } from "./wire.ts";

// A turn commits twice: with its user message and with its assistant message. Its record costs it no more than a text in each
// of the two rows. Rows of `turns` and of `usage` follow for many turns at once; a crash before that loses nothing, since a
// start finds the texts.

/** The text in the row of the user message. */
export function toBeginning({ uuid, source, model, startedAt }: Turn): string {
  return JSON.stringify({ uuid, source, model, startedAt });
}

/** The text in the row of the assistant message. */
export function toEnding(turn: Turn): string {
  const { uuid, inputTokens, outputTokens, omittedToolGroups, endedAt } = turn;
  return JSON.stringify({ uuid, inputTokens, outputTokens, omittedToolGroups, endedAt });
}

const COLUMNS = `id, uuid, thread_id, source, state, error, partial_text, user_message_uuid, assistant_message_uuid, model,
  input_tokens, output_tokens, omitted_tool_groups, started_at, ended_at`;

const PUT = `INSERT INTO turns (${COLUMNS})
  SELECT m.id, value ->> 'uuid', m.thread_id, value ->> 'source', replace(value ->> 'state', 'waiting', 'running'),
    value ->> 'error', value ->> 'partialText', m.uuid, value ->> 'assistantMessageUuid', value ->> 'model',
    value ->> 'inputTokens', value ->> 'outputTokens', nullif(value ->> 'omittedToolGroups', '[]'),
    value ->> 'startedAt', value ->> 'endedAt'
  FROM json_each(:turns) CROSS JOIN messages m ON m.uuid = value ->> 'userMessageUuid'
  WHERE true
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, error = excluded.error,
    partial_text = excluded.partial_text, assistant_message_uuid = excluded.assistant_message_uuid,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    omitted_tool_groups = excluded.omitted_tool_groups, ended_at = excluded.ended_at`;

/** The statement that stores these records as they are; those of removed threads are left out. */
export function putTurnsStatement(turns: readonly Turn[]): InStatement {
  return { sql: PUT, args: { turns: JSON.stringify(turns) } };
}

// A turn whose user message is stored later has a larger id.
const SET_SETTLED = `UPDATE settled_turns SET
  up_to = max(up_to, coalesce((SELECT max(id) FROM messages), 0)),
  active = (SELECT json_group_array(messages.id) FROM json_each(:active) CROSS JOIN messages ON messages.uuid = value)`;

interface Settled {
  /** Those of which the table has no row yet. */
  unstored: readonly Turn[];
  /** All that have ended since. */
  ended: readonly Turn[];
  /** The user messages of all others that have begun, also of those on their way to the database. */
  active: readonly string[];
}

/** The statements that add turns that have ended to `turns` and `usage`; to be queued before another turn begins or ends. */
export function settleStatements({ unstored, ended, active }: Settled): InStatement[] {
  return [
    putTurnsStatement(unstored),
    { sql: countStatement(USED), args: { turns: JSON.stringify(ended) } },
    { sql: SET_SETTLED, args: { active: JSON.stringify(active) } },
  ];
}

// The ends of turns that completed. A turn that was active when others were settled may have ended right before that: its thread is
// searched.
const ENDS = `SELECT e.uuid, e.turn FROM messages e
    WHERE e.id > (SELECT up_to FROM settled_turns) AND e.turn IS NOT NULL AND e.role = 'assistant'
  UNION ALL SELECT e.uuid, e.turn FROM settled_turns CROSS JOIN json_each(settled_turns.active)
    CROSS JOIN messages m ON m.id = value
    CROSS JOIN messages e ON e.thread_id = m.thread_id AND (e.created_at, e.id) > (m.created_at, m.id)
      AND e.id <= up_to AND e.role = 'assistant' AND e.turn ->> 'uuid' = m.turn ->> 'uuid'`;

// What the last process left: turns that completed have an end, others a row or nothing.
const SETTLE_LEFT = `WITH ends AS MATERIALIZED (
    SELECT uuid, turn ->> 'uuid' AS turn_uuid, ${tokenCount("turn ->> 'inputTokens'")} AS input_tokens,
      ${tokenCount("turn ->> 'outputTokens'")} AS output_tokens, nullif(turn ->> 'omittedToolGroups', '[]') AS omitted, turn ->> 'endedAt' AS ended_at FROM (${ENDS}))
  INSERT INTO turns (${COLUMNS})
  SELECT m.id, m.turn ->> 'uuid', m.thread_id, m.turn ->> 'source', iif(e.uuid IS NULL, 'interrupted', 'completed'),
    NULL, NULL, m.uuid, e.uuid, m.turn ->> 'model', e.input_tokens, e.output_tokens, e.omitted, m.turn ->> 'startedAt',
    coalesce(e.ended_at, :now)
  FROM messages m CROSS JOIN threads t ON t.id = m.thread_id
    CROSS JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN ends e ON e.turn_uuid = m.turn ->> 'uuid'
  WHERE ${NOT_SETTLED("m.id")} AND m.turn IS NOT NULL AND m.role = 'user'
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at,
    partial_text = iif(excluded.state = 'completed', NULL, partial_text),
    assistant_message_uuid = excluded.assistant_message_uuid,
    input_tokens = coalesce(excluded.input_tokens, input_tokens),
    output_tokens = coalesce(excluded.output_tokens, output_tokens),
    omitted_tool_groups = coalesce(excluded.omitted_tool_groups, omitted_tool_groups)
  WHERE turns.state = 'running'`;

const LEFT = `SELECT substr(turns.started_at, 1, 10) AS day, w.uuid AS workspace_uuid, t.uuid AS thread_uuid, turns.model,
    ${tokenCount("turns.input_tokens")} AS input_tokens, ${tokenCount("turns.output_tokens")} AS output_tokens
  FROM turns CROSS JOIN threads t ON t.id = turns.thread_id
    CROSS JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
  WHERE ${NOT_SETTLED("turns.id")}`;

/**
 * Ends the records of turns that an earlier process left behind. To be called before any turn starts. Records that cannot be
 * read are logged: they do not keep the engine from its start.
 */
export async function interruptActiveTurns(
  { db, log }: Pick<EngineDeps, "db" | "log">,
  now: string,
): Promise<void> {
  const batch = new Batch();
  batch.add({ sql: SETTLE_LEFT, args: { now } });
  batch.add(countStatement(LEFT));
  batch.add({ sql: SET_SETTLED, args: { active: "[]" } });
  try {
    await batch.run(db);
  } catch (error) {
    log.error({ error }, "The records of the last turns could not be settled.");
  }
}
