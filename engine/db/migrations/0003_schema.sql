DROP INDEX `contacts_workspace`;--> statement-breakpoint
CREATE INDEX `contacts_workspace` ON `contacts` (`workspace_id`,`updated_at`);--> statement-breakpoint
DROP INDEX `memories_workspace`;--> statement-breakpoint
CREATE INDEX `memories_workspace` ON `memories` (`workspace_id`,`updated_at`);--> statement-breakpoint
DROP INDEX `notes_workspace`;--> statement-breakpoint
CREATE INDEX `notes_workspace` ON `notes` (`workspace_id`,`updated_at`);--> statement-breakpoint
DROP INDEX `todos_workspace`;--> statement-breakpoint
CREATE INDEX `todos_workspace` ON `todos` (`workspace_id`,`updated_at`);