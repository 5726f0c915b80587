import { z } from "@hono/zod-openapi";
import { field, object } from "./fields.ts";

/** Any text: an id that is not a UUID is an unknown id. `what` has it, as a part of a sentence. */
export function uuidParam(what: string) {
  return object({ uuid: field.text(`The uuid of ${what}.`) });
}

export const UuidParam = uuidParam("what the path names");

/** Text of a body that the database keeps as it is: half of a surrogate pair would be stored as U+FFFD (E-HTTP-26). */
export const wellFormedText = z
  .string()
  .refine((text) => text.isWellFormed(), "must not contain half of a surrogate pair");

/**
 * Text of a body that a column keeps: libSQL's driver cuts a column at U+0000 when it reads it (E-HTTP-5). Text that is
 * read as JSON made in SQL is `wellFormedText`, and text that is not stored `z.string()`.
 */
export const storedText = wellFormedText.refine(
  (text) => !text.includes("\u0000"),
  "must not contain U+0000",
);

/** A text of a body that may be null or left out. */
export const optionalText = storedText.nullish();

/** A body whose fields have the texts of those of the same name in `source`: they mean the same. */
export function withTextsOf<Fields extends Record<string, z.ZodType>>(
  source: z.ZodObject,
  fields: Fields,
) {
  const described = Object.entries(fields).map(([name, field]) => {
    return [name, field.meta(source.shape[name]?.meta() ?? {})];
  });
  // Each field keeps its type.
  return z.object(Object.fromEntries(described) as Fields);
}

/** The object of the wire in a row, which has all of its fields. */
export function toWire<Schema extends z.ZodObject>(
  { shape }: Schema,
  row: z.infer<Schema>,
): z.infer<Schema> {
  const values = Object.keys(shape).map((name) => [name, row[name as keyof typeof row]]);
  // The names are those of the schema.
  return Object.fromEntries(values) as z.infer<Schema>;
}

/** RFC 9110 §5.6.2: a header name is a token. */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Engine §2, model objects. */
export const ProblemDetails = object({
  type: z.literal("about:blank").describe("Always `about:blank`."),
  title: z.literal("Encrypted credential storage is unavailable.").describe("What is unavailable."),
  status: z.literal(503).describe("Always 503."),
  detail: field.text("A sentence to show to the user."),
}).openapi("ProblemDetails", { description: "Why credentials cannot be used now (RFC 9457)." });
export type ProblemDetails = z.infer<typeof ProblemDetails>;

/** 503: credentials cannot be encrypted or decrypted now. */
export const credentialStoreResponse = {
  503: {
    description: "Encrypted credential storage is unavailable",
    content: { "application/problem+json": { schema: ProblemDetails } },
  },
};

const Location = { schema: { type: "string" as const } };

/** 201, with the address of the new resource. */
export function created<Schema extends z.ZodType>(schema: Schema) {
  const content = { "application/json": { schema } };
  return { 201: { description: "Created", headers: { Location }, content } };
}

/** 202, with the address of what goes on after the response. */
export function accepted<Schema extends z.ZodType>(schema: Schema) {
  const content = { "application/json": { schema } };
  return { 202: { description: "Accepted", headers: { Location }, content } };
}

/** 404 with an empty body: model and tool configurations (Engine §7). */
export const absentResponse = { 404: { description: "Not there; the body is empty" } };
