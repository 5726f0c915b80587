import type { OpenAPIHono } from "@hono/zod-openapi";

/** The methods of the routes that match a path, for `Allow`. */
export function allowedMethods(api: OpenAPIHono, path: string): string[] {
  const methods = new Set<string>();
  for (const route of api.routes) {
    if (route.method !== "ALL" && matches(route.path, path)) methods.add(route.method);
  }
  return [...methods].sort();
}

/** The pattern of the first route that matches a path, such as `/auth/:provider/login`. */
export function findRoute(api: OpenAPIHono, path: string): string | undefined {
  return api.routes.find((route) => route.method !== "ALL" && matches(route.path, path))?.path;
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length &&
    expected.every((part, at) => (part.startsWith(":") ? given[at] !== "" : part === given[at]))
  );
}
