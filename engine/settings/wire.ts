import { z } from "@hono/zod-openapi";
import { object } from "../http/fields.ts";
import { wellFormedText } from "../http/wire.ts";
import { SETTINGS_PER_REQUEST_MAX } from "../limits.ts";

/** Engine §2, setting: the scope is the exact tuple (key, tag, client); null and "" are distinct. */
export const Setting = object({
  key: wellFormedText
    .refine((key) => key.trim() !== "", "must not be blank")
    .describe("The key; not blank."),
  value: wellFormedText.describe("The value, any text."),
  tag: wellFormedText
    .nullable()
    .default(null)
    .describe("The tag; null where there is none, which is not the same as empty."),
  client: wellFormedText
    .nullable()
    .default(null)
    .describe("The client that the setting belongs to; null where it belongs to all."),
}).openapi("Setting", { description: "A setting; key, tag and client together are its scope." });
export type Setting = z.infer<typeof Setting>;

/** Settings to store: at least one, each scope at most once. */
export const PutSettings = z
  .array(Setting)
  .min(1)
  .max(SETTINGS_PER_REQUEST_MAX)
  .superRefine((settings, context) => {
    const seen = new Set<string>();
    settings.forEach(({ key, tag, client }, at) => {
      const scope = JSON.stringify([key, tag, client]);
      if (seen.has(scope)) {
        context.addIssue({
          code: "custom",
          path: [at],
          message: "has the same key, tag and client as one before it",
        });
      }
      seen.add(scope);
    });
  });

/** Exact-match filters; an omitted one is unrestricted. */
export const SettingFilters = object({
  key: z.string().optional().describe("Only settings with this key."),
  tag: z.string().optional().describe("Only settings with this tag."),
  client: z.string().optional().describe("Only settings of this client."),
});
export type SettingFilters = z.infer<typeof SettingFilters>;
