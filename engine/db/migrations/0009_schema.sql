CREATE TABLE `settled_turns` (
	`id` integer PRIMARY KEY NOT NULL,
	`up_to` integer NOT NULL,
	`active` text NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `settled_turns` (`id`, `up_to`, `active`) SELECT 1, coalesce(max(`id`), 0), '[]' FROM `messages`;
--> statement-breakpoint
-- What a start of the version before does with the turns that an earlier process left. All others are in `usage` as they are.
INSERT INTO `usage` (`day`, `workspace_uuid`, `thread_uuid`, `model`, `turns`, `turns_without_usage`, `input_tokens`, `output_tokens`)
  SELECT substr(turns.started_at, 1, 10), w.uuid, t.uuid, turns.model, 0, -1, turns.input_tokens, turns.output_tokens
  FROM turns JOIN threads t ON t.id = turns.thread_id JOIN workspaces w ON w.id = t.workspace_id AND w.deleted_at IS NULL
  WHERE turns.state = 'running' AND turns.id > (SELECT up_to FROM earlier_turns) AND coalesce(turns.input_tokens, turns.output_tokens) IS NOT NULL
  ON CONFLICT (day, thread_uuid, model) DO UPDATE SET
    turns_without_usage = turns_without_usage - 1,
    input_tokens = CASE WHEN excluded.input_tokens IS NULL THEN input_tokens ELSE coalesce(input_tokens, 0) + excluded.input_tokens END,
    output_tokens = CASE WHEN excluded.output_tokens IS NULL THEN output_tokens ELSE coalesce(output_tokens, 0) + excluded.output_tokens END;
--> statement-breakpoint
UPDATE `turns` SET `state` = 'interrupted', `ended_at` = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE turns.state = 'running' AND turns.id > (SELECT up_to FROM earlier_turns);
--> statement-breakpoint
DROP TABLE `earlier_turns`;--> statement-breakpoint
CREATE TABLE `__new_turns` (
	`id` integer PRIMARY KEY NOT NULL,
	`uuid` text NOT NULL,
	`thread_id` integer NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`partial_text` text,
	`user_message_uuid` text NOT NULL,
	`assistant_message_uuid` text,
	`model` text NOT NULL,
	`input_tokens` integer,
	`output_tokens` integer,
	`omitted_tool_groups` text,
	`started_at` text NOT NULL,
	`ended_at` text,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_turns`("id", "uuid", "thread_id", "source", "state", "error", "partial_text", "user_message_uuid", "assistant_message_uuid", "model", "input_tokens", "output_tokens", "omitted_tool_groups", "started_at", "ended_at")
  SELECT m.id, turns."uuid", turns."thread_id", turns."source", turns."state", turns."error", turns."partial_text", turns."user_message_uuid", turns."assistant_message_uuid", turns."model", turns."input_tokens", turns."output_tokens", turns."omitted_tool_groups", turns."started_at", turns."ended_at"
  FROM `turns` JOIN `messages` m ON m.uuid = turns.user_message_uuid;
--> statement-breakpoint
DROP TABLE `turns`;--> statement-breakpoint
ALTER TABLE `__new_turns` RENAME TO `turns`;--> statement-breakpoint
CREATE UNIQUE INDEX `turns_uuid_unique` ON `turns` (`uuid`);--> statement-breakpoint
CREATE INDEX `turns_thread` ON `turns` (`thread_id`);--> statement-breakpoint
CREATE INDEX `turns_state` ON `turns` (`state`) WHERE state NOT IN ('running', 'completed');--> statement-breakpoint
ALTER TABLE `messages` ADD `turn` text;