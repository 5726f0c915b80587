CREATE TABLE `invitations` (
	`email_norm` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);