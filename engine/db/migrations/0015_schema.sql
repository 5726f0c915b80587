ALTER TABLE `turns` ADD `context` text;--> statement-breakpoint
ALTER TABLE `turns` ADD `sources` text;