CREATE TABLE `approval_grants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`thread_id` integer,
	`tool_id` integer,
	`tool_name` text NOT NULL,
	`match` text NOT NULL,
	`path_prefix` text,
	`fingerprint` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text,
	`last_used_at` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tool_id`) REFERENCES `tool_configurations`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `approval_grants_uuid_unique` ON `approval_grants` (`uuid`);--> statement-breakpoint
CREATE INDEX `approval_grants_workspace` ON `approval_grants` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `approval_grants_thread` ON `approval_grants` (`thread_id`);--> statement-breakpoint
CREATE INDEX `approval_grants_tool` ON `approval_grants` (`tool_name`);--> statement-breakpoint
CREATE INDEX `approval_grants_server` ON `approval_grants` (`tool_id`);--> statement-breakpoint
ALTER TABLE `turns` ADD `grant_uuids` text;