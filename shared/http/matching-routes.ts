interface Routed {
  routes: readonly { method: string; path: string }[];
}

/** The methods of the routes that match a path, for `Allow`. */
export function allowedMethods(api: Routed, path: string): string[] {
  return [...new Set(matchingRoutes(api, path).map(({ method }) => method))].sort();
}

/** The pattern of the first route that matches a path, such as `/auth/:provider/login`. */
export function findRoute(api: Routed, path: string): string | undefined {
  return matchingRoutes(api, path)[0]?.path;
}

function matchingRoutes(api: Routed, path: string) {
  const segments = path.split("/");
  return api.routes.filter(
    (route) => route.method !== "ALL" && matchesPattern(route.path.split("/"), segments),
  );
}

/** A part of a pattern such as `:name` matches any segment that is not empty. */
function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) =>
      part.startsWith(":") ? segments[at] !== "" : part === segments[at],
    )
  );
}
