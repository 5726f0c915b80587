CREATE TABLE `thread_summaries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`thread_id` integer NOT NULL,
	`history_after` text NOT NULL,
	`text` text,
	`tokens` integer,
	`covers_through` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `thread_summaries_threadId_unique` ON `thread_summaries` (`thread_id`);--> statement-breakpoint
ALTER TABLE `turns` ADD `cached_input_tokens` integer;--> statement-breakpoint
ALTER TABLE `usage` ADD `cached_input_tokens` integer;