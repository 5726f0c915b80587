import type { ApiOperation } from "./document.ts";

/** What the form of an operation holds, as it is typed. */
export interface ApiValues {
  /** Parameters by their names; an empty one is left out of the query. */
  parameters: Readonly<Record<string, string>>;
  /** JSON; undefined where the operation reads no body. */
  body: string | undefined;
}

/** A request of the form, below the origin. */
export interface ApiRequest {
  method: string;
  path: string;
  body: string | undefined;
}

/** The request that the form describes. */
export function toApiRequest(operation: ApiOperation, { parameters, body }: ApiValues): ApiRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name] ?? ""),
  );
  const query = new URLSearchParams();
  for (const { in: place, name } of operation.parameters) {
    const value = parameters[name] ?? "";
    if (place === "query" && value !== "") query.set(name, value);
  }
  const search = query.size > 0 ? `?${query}` : "";
  return { method: operation.method, path: `${path}${search}`, body };
}

/** What keeps the form from being sent, as a sentence. */
export function faultOf(operation: ApiOperation, values: ApiValues): string | undefined {
  const missing = operation.parameters
    .filter(({ isRequired, name }) => isRequired && (values.parameters[name] ?? "").trim() === "")
    .map(({ name }) => name);
  if (missing.length > 0) return `Fill in ${missing.join(", ")}.`;
  const dots = operation.parameters.find(
    ({ in: place, name }) => place === "path" && /^\.\.?$/.test(values.parameters[name] ?? ""),
  );
  if (dots) return `${dots.name} would lead to another path.`;
  if (values.body === undefined) return undefined;
  try {
    JSON.parse(values.body);
    return undefined;
  } catch {
    return "The body is no JSON.";
  }
}
