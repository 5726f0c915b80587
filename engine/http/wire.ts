import { z } from "@hono/zod-openapi";

/** Any text: an id that is not a UUID is an unknown id. */
export const UuidParam = z.object({ uuid: z.string() });

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

/** RFC 9110 §5.6.2: a header name is a token. */
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Engine §2, model objects. */
export const ProblemDetails = z
  .object({
    type: z.literal("about:blank"),
    title: z.literal("Encrypted credential storage is unavailable."),
    status: z.literal(503),
    detail: z.string(),
  })
  .openapi("ProblemDetails");
export type ProblemDetails = z.infer<typeof ProblemDetails>;

/** 503: credentials cannot be encrypted or decrypted now. */
export const credentialStoreResponse = {
  503: {
    description: "Encrypted credential storage is unavailable",
    content: { "application/problem+json": { schema: ProblemDetails } },
  },
};

/** 404 with an empty body: model and tool configurations (Engine §7). */
export const absentResponse = { 404: { description: "Not there; the body is empty" } };
