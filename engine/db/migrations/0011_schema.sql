-- The turns whose record stands in the rows of their messages alone, also those that the last process left. A text that is
-- damaged is left out. What ran is ended by the next start.
WITH texts AS MATERIALIZED (
  SELECT id, uuid, role, iif(json_valid(turn), turn, NULL) AS turn FROM messages WHERE turn IS NOT NULL
), ends AS MATERIALIZED (
  SELECT uuid, turn ->> 'uuid' AS turn_uuid, turn ->> 'inputTokens' AS input_tokens, turn ->> 'outputTokens' AS output_tokens,
    nullif(turn ->> 'omittedToolGroups', '[]') AS omitted, turn ->> 'endedAt' AS ended_at
  FROM texts WHERE role = 'assistant'
)
INSERT OR IGNORE INTO `turns` (`id`, `uuid`, `thread_id`, `source`, `state`, `user_message_uuid`, `assistant_message_uuid`, `model`,
    `input_tokens`, `output_tokens`, `omitted_tool_groups`, `started_at`, `ended_at`)
  SELECT m.id, texts.turn ->> 'uuid', m.thread_id, texts.turn ->> 'source', iif(e.uuid IS NULL, 'running', 'completed'), m.uuid, e.uuid,
    texts.turn ->> 'model', iif(typeof(e.input_tokens) = 'integer' AND e.input_tokens BETWEEN 0 AND 1099511627776, e.input_tokens, NULL),
    iif(typeof(e.output_tokens) = 'integer' AND e.output_tokens BETWEEN 0 AND 1099511627776, e.output_tokens, NULL),
    e.omitted, texts.turn ->> 'startedAt', e.ended_at
  FROM settled_turns s CROSS JOIN texts JOIN messages m ON m.id = texts.id JOIN threads t ON t.id = m.thread_id
    JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN ends e ON e.turn_uuid = texts.turn ->> 'uuid'
  WHERE texts.role = 'user' AND (m.id > s.up_to OR m.id IN (SELECT value FROM json_each(s.active)))
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at, partial_text = NULL,
    assistant_message_uuid = excluded.assistant_message_uuid, omitted_tool_groups = excluded.omitted_tool_groups,
    input_tokens = coalesce(excluded.input_tokens, input_tokens), output_tokens = coalesce(excluded.output_tokens, output_tokens)
  WHERE turns.state = 'running' AND excluded.state = 'completed';
--> statement-breakpoint
-- What they used, but for those that ran: the next start counts them as it ends them.
INSERT INTO `usage` (`day`, `workspace_uuid`, `thread_uuid`, `model`, `turns`, `turns_without_usage`, `input_tokens`, `output_tokens`)
  SELECT substr(turns.started_at, 1, 10), w.uuid, t.uuid, turns.model, count(*),
    count(*) FILTER (WHERE coalesce(iif(turns.input_tokens BETWEEN 0 AND 1099511627776, turns.input_tokens, NULL), iif(turns.output_tokens BETWEEN 0 AND 1099511627776, turns.output_tokens, NULL)) IS NULL),
    sum(iif(turns.input_tokens BETWEEN 0 AND 1099511627776, turns.input_tokens, NULL)), sum(iif(turns.output_tokens BETWEEN 0 AND 1099511627776, turns.output_tokens, NULL))
  FROM settled_turns s CROSS JOIN turns JOIN threads t ON t.id = turns.thread_id JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
  WHERE turns.state <> 'running' AND (turns.id > s.up_to OR turns.id IN (SELECT value FROM json_each(s.active)))
  GROUP BY 1, 2, 3, 4
  ON CONFLICT (day, thread_uuid, model) DO UPDATE SET turns = turns + excluded.turns,
    turns_without_usage = turns_without_usage + excluded.turns_without_usage,
    input_tokens = CASE WHEN excluded.input_tokens IS NULL THEN input_tokens ELSE iif(usage.input_tokens BETWEEN 0 AND usage.turns * 1099511627776, usage.input_tokens, 0) + excluded.input_tokens END,
    output_tokens = CASE WHEN excluded.output_tokens IS NULL THEN output_tokens ELSE iif(usage.output_tokens BETWEEN 0 AND usage.turns * 1099511627776, usage.output_tokens, 0) + excluded.output_tokens END;
--> statement-breakpoint
DROP TABLE `settled_turns`;--> statement-breakpoint
DROP INDEX `turns_state`;--> statement-breakpoint
CREATE INDEX `turns_state` ON `turns` (`state`) WHERE state <> 'completed';--> statement-breakpoint
ALTER TABLE `messages` DROP COLUMN `turn`;
