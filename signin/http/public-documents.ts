import { PUBLIC_DOCUMENT_LIFETIME_SEC } from "../public-limits.ts";

/** What services need to verify access tokens. Any origin may read these, without credentials. */
export const PUBLIC_DOCUMENTS = {
  keySet: "/.well-known/jwks.json",
  /** RFC 8414, section 3. */
  metadata: "/.well-known/oauth-authorization-server",
} as const;

const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*" };

/** For their responses. */
export const PUBLIC_HEADERS = {
  ...ANY_ORIGIN,
  "Cache-Control": `public, max-age=${PUBLIC_DOCUMENT_LIFETIME_SEC}`,
};

export function isPublicDocument(path: string): boolean {
  return Object.values<string>(PUBLIC_DOCUMENTS).includes(path);
}

/** The answer to a preflight of any origin: a client may add headers of its own. */
export function publicPreflightResponse(request: Request): Response {
  const asked = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      ...ANY_ORIGIN,
      "Access-Control-Allow-Methods": "GET",
      ...(asked === null ? {} : { "Access-Control-Allow-Headers": asked }),
      "Access-Control-Max-Age": "600",
    },
  });
}
