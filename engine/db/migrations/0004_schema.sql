CREATE TABLE `message_search_range` (
	`id` integer PRIMARY KEY NOT NULL,
	`low` integer NOT NULL,
	`high` integer NOT NULL
) STRICT;
