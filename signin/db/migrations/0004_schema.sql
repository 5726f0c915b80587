ALTER TABLE `identities` ADD `is_unconfirmed` integer;--> statement-breakpoint
ALTER TABLE `native_codes` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `proven_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provider` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `passkey_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `disabled_at` integer;