import type { z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import { ErrorBody } from "./wire.ts";

/** Parts of route descriptions: bodies and responses. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true as const, content: { "application/json": { schema } } } };
}

/** An optional body: without one the schema gets `{}`. */
export function optionalBody<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: false as const, content: { "application/json": { schema } } } };
}

export function ok<Schema extends z.ZodType>(schema: Schema, description = "Success") {
  return { 200: { description, content: { "application/json": { schema } } } };
}

/** 200 with JSON text, or a stream of it. The type names its value, and is not checked. */
export function jsonText<Body>(
  text: string | ReadableStream<Uint8Array>,
  more: Record<string, string> = {},
): TypedResponse<Body, 200, "json"> {
  const headers = { "Content-Type": "application/json", ...more };
  return new Response(text, { headers }) as unknown as TypedResponse<Body, 200, "json">;
}

export const noContent = { 204: { description: "Done; the body is empty" } };

const ERROR_TEXTS = {
  400: "The request is not valid",
  401: "The bearer token is missing or invalid",
  403: "Not allowed",
  404: "Not found",
  409: "Conflicts with what is there",
  413: "The body is too large",
  429: "Too many requests",
  500: "Internal server error",
  502: "A server that this one depends on failed",
  503: "Not available now",
} as const;
type ErrorStatus = keyof typeof ERROR_TEXTS;

/** Error responses with the Error body, by status. */
export function errors<Status extends ErrorStatus>(...statuses: Status[]) {
  const content = { "application/json": { schema: ErrorBody } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: ERROR_TEXTS[status] as string, content }]),
  ) as Record<Status, { description: string; content: typeof content }>;
}
