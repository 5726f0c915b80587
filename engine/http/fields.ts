import { z } from "@hono/zod-openapi";

/** An object of the wire; `.openapi()` behind it has the name and the text of its component. */
export const { object } = z;

/** The usual fields of such objects, each with its sentence in the document. */
export const field = {
  text: (about: string) => z.string().describe(about),
  nullableText: (about: string) => z.string().nullable().describe(about),
  integer: (about: string) => z.int().describe(about),
  nullableInteger: (about: string) => z.int().nullable().describe(about),
  time: (about: string) => z.iso.datetime().describe(about),
  nullableTime: (about: string) => z.iso.datetime().nullable().describe(about),
  flag: (about: string) => z.boolean().describe(about),
  choice: <const Values extends readonly string[]>(values: Values, about: string) =>
    z.enum(values).describe(about),
  list: <Item extends z.ZodType>(item: Item, about: string) => z.array(item).describe(about),
};
