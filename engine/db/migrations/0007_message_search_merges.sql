INSERT INTO `message_search` (`message_search`, `rank`) VALUES ('automerge', 0);
--> statement-breakpoint
INSERT INTO `message_search` (`message_search`, `rank`) VALUES ('crisismerge', 1999);
