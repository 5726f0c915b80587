CREATE VIRTUAL TABLE `message_search` USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `messages_search_delete` AFTER DELETE ON `messages` BEGIN
	DELETE FROM message_search WHERE rowid = old.id;
END;
--> statement-breakpoint
INSERT INTO `message_search_range` (`id`, `low`, `high`)
	SELECT 1, coalesce(max(`id`), 0) + 1, coalesce(max(`id`), 0) FROM `messages`;
