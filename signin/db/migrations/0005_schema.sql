CREATE TABLE `used_nonces` (
	`nonce_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `used_nonces_expiry` ON `used_nonces` (`expires_at`);--> statement-breakpoint
DROP TABLE `auth_flows`;--> statement-breakpoint
DROP TABLE `passkey_challenges`;--> statement-breakpoint
ALTER TABLE `email_codes` ADD `is_long` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `email_codes` DROP COLUMN `asker`;