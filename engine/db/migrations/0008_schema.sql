CREATE TABLE `earlier_turns` (
	`id` integer PRIMARY KEY NOT NULL,
	`up_to` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `earlier_turns` (`id`, `up_to`) VALUES (1, 0);
--> statement-breakpoint
CREATE TABLE `__new_usage` (
	`day` text NOT NULL,
	`workspace_uuid` text NOT NULL,
	`thread_uuid` text NOT NULL,
	`model` text NOT NULL,
	`turns` integer NOT NULL,
	`turns_without_usage` integer NOT NULL,
	`input_tokens` integer,
	`output_tokens` integer,
	PRIMARY KEY(`day`, `thread_uuid`, `model`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_usage`("day", "workspace_uuid", "thread_uuid", "model", "turns", "turns_without_usage", "input_tokens", "output_tokens") SELECT "day", "workspace_uuid", "thread_uuid", "model", "turns", "turns_without_usage", "input_tokens", "output_tokens" FROM `usage`;--> statement-breakpoint
DROP TABLE `usage`;--> statement-breakpoint
ALTER TABLE `__new_usage` RENAME TO `usage`;--> statement-breakpoint
DROP INDEX `turns_state`;--> statement-breakpoint
CREATE INDEX `turns_state` ON `turns` (`state`) WHERE state NOT IN ('running', 'completed');
