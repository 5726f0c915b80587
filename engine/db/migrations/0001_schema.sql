ALTER TABLE `workspaces` ADD `deleted_at` text;--> statement-breakpoint
CREATE INDEX `workspaces_name` ON `workspaces` (`name`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `workspaces_deleted` ON `workspaces` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `settings_key` ON `settings` (`key`);--> statement-breakpoint
CREATE INDEX `tool_configurations_shown_name` ON `tool_configurations` (CASE WHEN "alias" IS NULL THEN "name" ELSE "alias" END);