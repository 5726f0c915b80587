import { z } from "@hono/zod-openapi";
import { PAGE_ENTRIES_MAX } from "../limits.ts";

/** A number of entries in a query string. */
export function limitUpTo(max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((count) => count >= 1 && count <= max, { message: `must be from 1 to ${max}` })
    .openapi({ type: "integer", minimum: 1, maximum: max });
}

/** Which page of a list is asked for; the whole list if nothing is given. `before` is the uuid of an entry of the list. */
export function pageQuery(texts: { limit: string; before: string }) {
  return z.object({
    limit: limitUpTo(PAGE_ENTRIES_MAX).optional().describe(texts.limit),
    before: z.string().optional().describe(texts.before),
  });
}

/** The header that leads to the next page (RFC 8288): the request's own address with other parameters. */
export function nextLink(url: string, parameters: Readonly<Record<string, string>>) {
  const next = new URL(url);
  for (const [name, value] of Object.entries(parameters)) next.searchParams.set(name, value);
  return { Link: `<${next.href}>; rel="next"` };
}
