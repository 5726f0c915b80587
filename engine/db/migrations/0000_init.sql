CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`phone` text,
	`notes` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `contacts_uuid_unique` ON `contacts` (`uuid`);--> statement-breakpoint
CREATE INDEX `contacts_workspace` ON `contacts` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `memories` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`thread_id` integer,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `memories_uuid_unique` ON `memories` (`uuid`);--> statement-breakpoint
CREATE INDEX `memories_workspace` ON `memories` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `memories_thread` ON `memories` (`thread_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`thread_id` integer NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_uuid_unique` ON `messages` (`uuid`);--> statement-breakpoint
CREATE INDEX `messages_thread` ON `messages` (`thread_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `model_configurations` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`alias` text,
	`base_url` text,
	`region` text,
	`context_window` integer,
	`sealed_api_key` text,
	`sealed_cloud_access_key_id` text,
	`sealed_cloud_secret_access_key` text,
	`sealed_cloud_session_token` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `model_configurations_id_unique` ON `model_configurations` (`id`);--> statement-breakpoint
CREATE TABLE `networks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`default_workspace_uuid` text,
	`created_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `networks_uuid_unique` ON `networks` (`uuid`);--> statement-breakpoint
CREATE TABLE `notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `notes_uuid_unique` ON `notes` (`uuid`);--> statement-breakpoint
CREATE INDEX `notes_workspace` ON `notes` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `settings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`tag` text,
	`client` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `settings_scope` ON `settings` (`key`,"tag" IS NULL,CASE WHEN "tag" IS NULL THEN '' ELSE "tag" END,"client" IS NULL,CASE WHEN "client" IS NULL THEN '' ELSE "client" END);--> statement-breakpoint
CREATE TABLE `threads` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`title` text,
	`description` text,
	`default_model_id` text,
	`tools_config` text,
	`approval_config` text,
	`skills_config` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `threads_uuid_unique` ON `threads` (`uuid`);--> statement-breakpoint
CREATE INDEX `threads_workspace` ON `threads` (`workspace_id`,`updated_at`);--> statement-breakpoint
CREATE TABLE `todos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`thread_id` integer,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`thread_id`) REFERENCES `threads`(`id`) ON UPDATE no action ON DELETE set null
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `todos_uuid_unique` ON `todos` (`uuid`);--> statement-breakpoint
CREATE INDEX `todos_workspace` ON `todos` (`workspace_id`);--> statement-breakpoint
CREATE INDEX `todos_thread` ON `todos` (`thread_id`);--> statement-breakpoint
CREATE TABLE `tool_configurations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`name` text NOT NULL,
	`alias` text,
	`description` text,
	`tool_type` text NOT NULL,
	`script_path` text,
	`script_language` text,
	`endpoint_url` text,
	`auth_type` text,
	`sealed_auth_config` text,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `tool_configurations_uuid_unique` ON `tool_configurations` (`uuid`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uuid` text NOT NULL,
	`network_id` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`default_model_id` text,
	`tools_config` text,
	`directories` text,
	`approval_config` text,
	`rag_config` text,
	`skills_config` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`network_id`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `workspaces_uuid_unique` ON `workspaces` (`uuid`);--> statement-breakpoint
CREATE INDEX `workspaces_network` ON `workspaces` (`network_id`);