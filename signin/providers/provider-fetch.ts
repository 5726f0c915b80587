import { readBytes } from "../../shared/http/json-body.ts";
import { failure, SigninError } from "../errors.ts";
import { PROVIDER_BODY_BYTES_MAX, PROVIDER_TIMEOUT_MS } from "../limits.ts";

/** A request to a provider, in oauth4webapi's form. */
export interface ProviderRequest {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: URLSearchParams | string | null | undefined;
}

/** A `fetch` for providers: bounded in time and size, without redirects. */
export type ProviderFetch = (url: string, request?: ProviderRequest) => Promise<Response>;

// GitHub refuses requests without a user agent.
const USER_AGENT = "roundhouse-signin";
// A Response with one of these must have no body.
const NULL_BODY_STATUSES = [204, 205, 304];

/**
 * Ten seconds, 256 KiB, and a redirect is an error: the code and the client's secret go to the configured address alone.
 * Its errors contain neither the request nor the response.
 */
export function createProviderFetch(fetcher: typeof fetch): ProviderFetch {
  return async (url, { method = "GET", headers = {}, body } = {}) => {
    let response: Response;
    let bytes: Uint8Array | undefined;
    try {
      response = await fetcher(url, {
        method,
        headers: { ...headers, "user-agent": USER_AGENT },
        body: body ?? null,
        // workerd throws on "error".
        redirect: "manual",
        signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
      });
      if (isRedirect(response)) {
        await response.body?.cancel();
        throw failure("provider_error", `a redirect came from ${placeOf(url)}`);
      }
      bytes = await readBytes(response, PROVIDER_BODY_BYTES_MAX);
    } catch (error) {
      if (error instanceof SigninError) throw error;
      throw failure(
        "provider_unavailable",
        `${placeOf(url)}: ${error instanceof Error ? error.name : "failed"}`,
      );
    }
    if (!bytes) throw failure("provider_error", `an answer of ${placeOf(url)} is too large`);
    const { status } = response;
    // A server can send such a status, and the constructor of Response refuses it.
    if (!(status >= 200 && status <= 599)) {
      throw failure("provider_error", `${placeOf(url)} has status ${status}`);
    }
    return new Response(NULL_BODY_STATUSES.includes(status) ? null : new Uint8Array(bytes), {
      status,
      headers: response.headers,
    });
  };
}

function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

// Without the query, which may hold a secret.
function placeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
