import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { toSnakeName } from "../client/names.ts";
import { describeIssues } from "./issues.ts";
import { type BodyFault, readJsonBody } from "./json-body.ts";

interface RouterOptions {
  /** A larger body has the fault `too_large`. */
  bodyBytesMax: number;
  /** Whether bodies may have snake_case names, too. Where both spellings are sent, camelCase wins. */
  snakeCase: boolean;
  /** The error of a body that breaks its schema; `details` names fields and rules. */
  invalid(details: string): Error;
  /** The error of a body that cannot be read. */
  unreadable(fault: BodyFault): Error;
  /** Called before a body is read; throws where its headers are refused. */
  checkBody?(headers: Headers): void;
}

/** A router of zod-openapi whose routes parse their JSON bodies themselves; see `withOwnBody`. */
export function createRouter(options: RouterOptions): OpenAPIHono {
  const router = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw options.invalid(describeIssues(result.error.issues));
    },
  });
  const register = router.openapi;
  router.openapi = (route, handler, hook) =>
    register(withOwnBody(router, route, options), handler, hook);
  return router;
}

/**
 * zod-openapi derives a validator from the body schema of a route, and rejects a body without a JSON Content-Type with
 * 415. The contract accepts JSON under any Content-Type, in both spellings. So the route is documented here as it was
 * written, and registered without its body, which `bodyReader` parses.
 */
function withOwnBody<R extends RouteConfig>(
  router: OpenAPIHono,
  route: R,
  options: RouterOptions,
): R {
  const { body, ...request } = route.request ?? {};
  const json = body?.content?.["application/json"];
  const schema = json && "schema" in json ? json.schema : undefined;
  if (!(schema instanceof z.ZodType)) return route;
  const { middleware: given, ...documented } = route;
  // Middleware is no part of the OpenAPI document.
  router.openAPIRegistry.registerPath(documented);
  const before = given ? [given].flat() : [];
  const middleware = [...before, bodyReader(options, schema, body?.required === true)];
  return { ...route, request, middleware, hide: true };
}

function bodyReader(
  options: RouterOptions,
  schema: z.ZodType,
  required: boolean,
): MiddlewareHandler {
  const spellings = options.snakeCase ? snakeSpellings(schema) : [];
  return async (c, next) => {
    const { headers } = c.req.raw;
    // A request without a body needs no type.
    const isChecked = required || headers.has("content-type");
    if (isChecked) options.checkBody?.(headers);
    const value = await readBody(c.req.raw, options, required);
    if (!isChecked && value !== undefined) options.checkBody?.(headers);
    const parsed = schema.safeParse(acceptSpellings(value === undefined ? {} : value, spellings));
    if (!parsed.success) throw options.invalid(describeIssues(parsed.error.issues));
    c.req.addValidatedData("json", parsed.data as object);
    await next();
  };
}

/** Undefined if an optional body is missing. */
async function readBody(request: Request, options: RouterOptions, required: boolean) {
  const read = await readJsonBody(request, options.bodyBytesMax);
  if (!("fault" in read)) return read.value;
  if (read.fault !== "empty") throw options.unreadable(read.fault);
  if (required) throw options.unreadable("not_json");
  return undefined;
}

/** Pairs of `camelCase` and `snake_case` for the fields of an object schema, or of the items of an array schema. */
function snakeSpellings(schema: z.ZodType): [string, string][] {
  if (schema instanceof z.ZodArray) return snakeSpellings(schema.element as z.ZodType);
  if (schema instanceof z.ZodPipe) return snakeSpellings(schema.in as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).flatMap((camel): [string, string][] => {
    const snake = toSnakeName(camel);
    return snake === camel ? [] : [[camel, snake]];
  });
}

function acceptSpellings(value: unknown, spellings: [string, string][]): unknown {
  if (spellings.length === 0 || !Array.isArray(value)) return renameFields(value, spellings);
  return value.map((item) => renameFields(item, spellings));
}

// One level only: a body may have arrays nested a hundred thousand deep.
function renameFields(value: unknown, spellings: [string, string][]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const renamed: Record<string, unknown> = { ...value };
  for (const [camel, snake] of spellings) {
    if (!Object.hasOwn(renamed, camel) && Object.hasOwn(renamed, snake))
      renamed[camel] = renamed[snake];
  }
  return renamed;
}
