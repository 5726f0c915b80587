CREATE TABLE `api_keys` (
	`user_id` text NOT NULL,
	`provider` text NOT NULL,
	`ciphertext` text NOT NULL,
	`key_id` text NOT NULL,
	`hint` text NOT NULL,
	`connected_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `provider`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_keys_key` ON `api_keys` (`key_id`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`user_id` text,
	`session_id` text,
	`ip_prefix` text,
	`ua` text,
	`outcome` text NOT NULL,
	`detail_json` text,
	`request_id` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_events_user` ON `audit_events` (`user_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_events_time` ON `audit_events` (`at`);--> statement-breakpoint
CREATE TABLE `auth_flows` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`mode` text NOT NULL,
	`binding_hash` text,
	`nonce` text NOT NULL,
	`pkce_verifier_enc` text NOT NULL,
	`user_id` text,
	`session_id` text,
	`redirect_to` text,
	`code_challenge` text,
	`expires_at` integer NOT NULL,
	`consumed_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `auth_flows_expiry` ON `auth_flows` (`expires_at`);--> statement-breakpoint
CREATE TABLE `email_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`email_norm` text NOT NULL,
	`code_hmac` text NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	`superseded_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `email_codes_address` ON `email_codes` (`email_norm`,`purpose`);--> statement-breakpoint
CREATE INDEX `email_codes_expiry` ON `email_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`email_at_link` text,
	`linked_at` integer NOT NULL,
	PRIMARY KEY(`provider`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user_provider` ON `identities` (`user_id`,`provider`);--> statement-breakpoint
CREATE TABLE `native_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`code_challenge` text NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	`session_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `native_codes_expiry` ON `native_codes` (`expires_at`);--> statement-breakpoint
CREATE INDEX `native_codes_user` ON `native_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`k` text PRIMARY KEY NOT NULL,
	`ws` integer NOT NULL,
	`n` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `rate_limits_window` ON `rate_limits` (`ws`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`counter` integer NOT NULL,
	`rotated_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`idle_expires_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoke_reason` text,
	`ip_prefix` text,
	`user_agent` text,
	`label` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_norm` text NOT NULL,
	`display_name` text,
	`avatar_url` text,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_emailNorm_unique` ON `users` (`email_norm`);