import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { describeIssues } from "./issues.ts";
import { type BodyFault, readJsonBody } from "./json-body.ts";

/** The options of a program's routers. */
export interface RouterOptions {
  /** A larger body has the fault `too_large`. */
  bodyBytesMax: number;
  /** Whether bodies may have snake_case names, too. Where both spellings are sent, camelCase wins. */
  snakeCase: boolean;
  /** Whether strings may hold U+0000: only where they are read back other than as columns, which the driver cuts there. */
  nulAllowed: boolean;
  /** The error of a body that breaks its schema; `details` names fields and rules. */
  invalid(details: string): Error;
  /** The error of a body that cannot be read. */
  unreadable(fault: BodyFault): Error;
  /** Called before a body is read; throws where its headers are refused. */
  checkBody?(headers: Headers): void;
}

/**
 * A router of zod-openapi that parses JSON bodies itself. zod-openapi derives a validator from the body schema of a
 * route, and that validator skips a body without a JSON Content-Type, or rejects it with 415. The contract accepts JSON
 * under any Content-Type, in both spellings. So the route is registered without its body, `bodyReader` parses the body,
 * and the whole route is documented separately. `openapi` is a property of each instance, which a subclass cannot call
 * through `super`: this function replaces it.
 */
export function createRouter(options: RouterOptions): OpenAPIHono {
  const router = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw options.invalid(describeIssues(result.error.issues));
    },
  });
  const register = router.openapi;
  const openapi = (...[route, handler, hook]: Parameters<typeof register>) => {
    const { body, ...request } = route.request ?? {};
    const json = body?.content?.["application/json"];
    const schema = json && "schema" in json ? json.schema : undefined;
    if (!(schema instanceof z.ZodType)) return register(route, handler, hook);
    const { middleware: given, ...documented } = route;
    // Middleware is no part of the OpenAPI document.
    router.openAPIRegistry.registerPath(documented);
    const before = given ? [given].flat() : [];
    const middleware = [...before, bodyReader(options, schema, body?.required === true)];
    return register({ ...route, request, middleware, hide: true }, handler, hook);
  };
  router.openapi = openapi as unknown as typeof register;
  return router;
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
    const field = options.nulAllowed ? undefined : findNul(parsed.data);
    if (field !== undefined) throw options.invalid(`${field}: must not contain U+0000`);
    c.req.addValidatedData("json", parsed.data as object);
    await next();
  };
}

/** Undefined where an optional body is missing. */
async function readBody(request: Request, options: RouterOptions, required: boolean) {
  const read = await readJsonBody(request, options.bodyBytesMax);
  if (!("fault" in read)) return read.value;
  if (read.fault !== "empty") throw options.unreadable(read.fault);
  if (required) throw options.unreadable("not_json");
  return undefined;
}

/** The first field that contains U+0000. Bodies are objects, or arrays of them. */
function findNul(value: unknown, path = ""): string | undefined {
  if (typeof value === "string") return value.includes("\u0000") ? path || "body" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const found = findNul(item, path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Pairs of `camelCase` and `snake_case` for the fields of an object schema, or of the items of an array schema. */
function snakeSpellings(schema: z.ZodType): [string, string][] {
  if (schema instanceof z.ZodArray) return snakeSpellings(schema.element as z.ZodType);
  if (schema instanceof z.ZodPipe) return snakeSpellings(schema.in as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).flatMap((camel): [string, string][] => {
    const snake = camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
