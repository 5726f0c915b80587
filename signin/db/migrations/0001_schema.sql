ALTER TABLE `identities` ADD `issuer` text;--> statement-breakpoint
CREATE INDEX `identities_issuer` ON `identities` (`provider`,`issuer`);