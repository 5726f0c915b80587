// Browsers navigate to these paths and show the response.
const NAVIGATIONS = /^\/auth\/[^/]+\/(login|callback)$/;

/** Whether a failed request is the navigation of a browser, and no call of a program. */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get("accept") ?? "";
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  const isFirst = html >= 0 && (json < 0 || html < json);
  return isFirst && NAVIGATIONS.test(new URL(request.url).pathname);
}
