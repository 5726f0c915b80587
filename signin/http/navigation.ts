// Browsers navigate to these paths during a sign-in.
const SIGN_IN = /^\/auth\/[^/]+\/(login|callback)$/;

/** Whether a request is a step of a sign-in by provider. */
export function isSignIn(request: Request): boolean {
  return SIGN_IN.test(new URL(request.url).pathname);
}

/** Whether a request is the navigation of a browser, and no call of a program. */
export function wantsPage({ method, headers }: Request): boolean {
  const accept = headers.get("accept") ?? "";
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return method === "GET" && html >= 0 && (json < 0 || html < json);
}
