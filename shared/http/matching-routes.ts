import type { OpenAPIHono } from "@hono/zod-openapi";

/** The methods of the routes that match a path, for `Allow`. */
export function allowedMethods(api: OpenAPIHono, path: string): string[] {
  return [...new Set(matchingRoutes(api, path).map(({ method }) => method))].sort();
}

/** The pattern of the first route that matches a path, such as `/auth/:provider/login`. */
export function findRoute(api: OpenAPIHono, path: string): string | undefined {
  return matchingRoutes(api, path)[0]?.path;
}

function matchingRoutes(api: OpenAPIHono, path: string) {
  const segments = path.split("/");
  return api.routes.filter(
    (route) => route.method !== "ALL" && matchesPattern(toPattern(route.path), segments),
  );
}

/** The segments of a path; undefined for a parameter, `:name` of a router and `{name}` of an OpenAPI document. */
type Pattern = readonly (string | undefined)[];

export function toPattern(path: string): Pattern {
  return path.split("/").map((segment) => (/^[:{]/.test(segment) ? undefined : segment));
}

export function matchesPattern(pattern: Pattern, segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => (part === undefined ? segments[at] !== "" : part === segments[at]))
  );
}
