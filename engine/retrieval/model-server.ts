import { withoutTrailing } from "../../shared/without-trailing.ts";

interface ModelServer {
  /** The base, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  apiKey?: string | undefined;
}

/** Sends JSON to a path below the base. Follows no redirect. */
export function postJson(
  fetch: typeof globalThis.fetch,
  { url, apiKey }: ModelServer,
  { path, body, signal }: { path: string; body: object; signal: AbortSignal },
): Promise<Response> {
  return fetch(`${withoutTrailing(url, "/")}${path}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(apiKey ? { Authorization: `Bearer ${apiKey}` } : {}),
    },
    body: JSON.stringify(body),
    redirect: "error",
    signal,
  });
}
