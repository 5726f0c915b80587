CREATE TABLE `turns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
CREATE UNIQUE INDEX `turns_uuid_unique` ON `turns` (`uuid`);--> statement-breakpoint
CREATE INDEX `turns_thread` ON `turns` (`thread_id`);--> statement-breakpoint
CREATE INDEX `turns_state` ON `turns` (`state`);--> statement-breakpoint
CREATE TABLE `usage` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`day` text NOT NULL,
	`workspace_uuid` text NOT NULL,
	`thread_uuid` text NOT NULL,
	`model` text NOT NULL,
	`turns` integer NOT NULL,
	`turns_without_usage` integer NOT NULL,
	`input_tokens` integer,
	`output_tokens` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_sums` ON `usage` (`day`,`thread_uuid`,`model`);