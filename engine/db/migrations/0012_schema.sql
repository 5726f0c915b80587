ALTER TABLE `model_configurations` ADD `temperature` real;--> statement-breakpoint
ALTER TABLE `model_configurations` ADD `top_p` real;--> statement-breakpoint
ALTER TABLE `model_configurations` ADD `max_output_tokens` integer;