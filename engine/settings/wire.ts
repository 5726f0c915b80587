import { z } from "@hono/zod-openapi";
import { wellFormedText } from "../http/wire.ts";
import { SETTINGS_PER_REQUEST_MAX } from "../limits.ts";

/** Engine §2, setting: the scope is the exact tuple (key, tag, client); null and "" are distinct. */
export const Setting = z
  .object({
    key: wellFormedText.refine((key) => key.trim() !== "", "must not be blank"),
    value: wellFormedText,
    tag: wellFormedText.nullable().default(null),
    client: wellFormedText.nullable().default(null),
  })
  .openapi("Setting");
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
export const SettingFilters = z.object({
  key: z.string().optional(),
  tag: z.string().optional(),
  client: z.string().optional(),
});
export type SettingFilters = z.infer<typeof SettingFilters>;
