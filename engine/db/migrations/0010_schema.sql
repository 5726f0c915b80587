CREATE TABLE `indexed_messages` (
	`id` integer PRIMARY KEY NOT NULL,
	`up_to` integer NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `indexed_messages` (`id`, `up_to`) VALUES (1, 0);
--> statement-breakpoint
DROP TABLE `message_search_range`;
--> statement-breakpoint
-- All messages are indexed again: a long one now has up to 32 rows below zero, one for each piece.
INSERT INTO `message_search` (`message_search`) VALUES ('delete-all');
--> statement-breakpoint
DROP TRIGGER `messages_search_delete`;
--> statement-breakpoint
CREATE TRIGGER `messages_search_delete` AFTER DELETE ON `messages` BEGIN
	DELETE FROM message_search WHERE rowid = old.id;
	DELETE FROM message_search WHERE rowid BETWEEN -(old.id * 32 + 31) AND -(old.id * 32);
END;
