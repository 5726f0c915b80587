import type { Failure } from "./errors.ts";

// Browsers navigate to these paths and show the response.
const NAVIGATIONS = /^\/auth\/[^/]+\/(login|callback)$/;
const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1.5rem;color:#1c1c1c;background:#fff}" +
  "h1{font-size:1.4rem}small{color:#5c5c5c}@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}small{color:#aaa}a{color:#9cc4ff}}";

/** Whether a failed request is the navigation of a browser, and no call of a program. */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  const isFirst = html >= 0 && (json < 0 || html < json);
  return isFirst && NAVIGATIONS.test(new URL(request.url).pathname);
}

/** A failure as a page: the reason, and the way back. It has no script, and no text of the request. */
export function failurePage({ status, headers, body }: Failure, uiUrl: string): Response {
  const response = new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>Sign-in failed</title><style>${STYLE}</style></head><body><main><h1>Sign-in failed</h1>` +
      `<p>${escapeHtml(body.error)}</p><p><a href="${escapeHtml(uiUrl)}">Back</a></p>` +
      `<p><small>${escapeHtml(body.code)} · ${escapeHtml(body.request_id)}</small></p></main></body></html>`,
    { status, headers },
  );
  response.headers.set("Content-Type", "text/html; charset=utf-8");
  response.headers.set(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  return response;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
}
