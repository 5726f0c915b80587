CREATE TABLE `client_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`workspace_uuids` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `client_keys_uuid_unique` ON `client_keys` (`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `client_keys_keyHash_unique` ON `client_keys` (`key_hash`);--> statement-breakpoint
CREATE TABLE `client_threads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`thread_id` integer NOT NULL,
	`key_id` integer NOT NULL,
	`label` text,
	`hash` text,
	`last_message_uuid` text,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `client_threads_threadId_unique` ON `client_threads` (`thread_id`);--> statement-breakpoint
CREATE INDEX `client_threads_hash` ON `client_threads` (`key_id`,`hash`);--> statement-breakpoint
CREATE INDEX `client_threads_label` ON `client_threads` (`key_id`,`label`);