CREATE TABLE `attachments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` integer NOT NULL,
	`position` integer NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`size` integer NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`message_id`) REFERENCES `messages`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`message_id`);--> statement-breakpoint
CREATE INDEX `attachments_hash` ON `attachments` (`hash`);--> statement-breakpoint
CREATE TABLE `forks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`thread_id` integer NOT NULL,
	`origin_uuid` text NOT NULL,
	`through_message_uuid` text,
	`replaced_message_uuid` text,
	`replacement_message_uuid` text,
	`created_at` text NOT NULL,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `forks_threadId_unique` ON `forks` (`thread_id`);--> statement-breakpoint
CREATE INDEX `forks_origin` ON `forks` (`origin_uuid`);--> statement-breakpoint
ALTER TABLE `messages` ADD `source_id` integer;--> statement-breakpoint
CREATE INDEX `messages_source` ON `messages` (`source_id`,`thread_id`) WHERE source_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `threads` ADD `conversation_uuid` text;--> statement-breakpoint
CREATE INDEX `threads_conversation` ON `threads` (`conversation_uuid`) WHERE conversation_uuid IS NOT NULL;