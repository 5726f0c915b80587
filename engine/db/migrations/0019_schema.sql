ALTER TABLE `threads` ADD `title_by_engine` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `instructions` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `use_agents_file` integer DEFAULT false NOT NULL;