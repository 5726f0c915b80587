import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sha256, toBase64Url } from "../bytes.ts";
import { equalsConstantTime } from "../constant-time.ts";
import { onAbort } from "../on-abort.ts";
import { randomToken } from "../random.ts";

interface NativeFlow<Answer> {
  /** Asks the sign-in server for the address of the browser. */
  start(query: NativeQuery): Promise<{ url: string; state: string }>;
  /** Shows the address to the user; it contains no secret. */
  openBrowser(url: string): void;
  /** Exchanges the code of the redirect. */
  exchange(code: string, codeVerifier: string): Promise<Answer>;
  /** The error if the redirect has no code. */
  refused(message: string): Error;
  signal: AbortSignal;
}

interface NativeQuery {
  redirectTo: string;
  codeChallenge: string;
}

const PATH = "/callback";
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'",
  Connection: "close",
};

/**
 * Signs in through the system browser with PKCE and a loopback redirect (Sign-in §4; RFC 8252).
 * @throws what the server's calls throw, `refused` if the user or the provider refuses, the signal's reason
 */
export async function logInThroughBrowser<Answer>(flow: NativeFlow<Answer>): Promise<Answer> {
  // RFC 7636, section 4: the verifier has 43 characters, and the challenge is its S256.
  const verifier = randomToken();
  const codeChallenge = toBase64Url(await sha256(verifier));
  let expected: string | undefined;
  const { promise: redirected, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  // A loopback port that waits for one redirect (RFC 8252 §7.3).
  await using server = createServer((request, response) => {
    const [path, search] = (request.url ?? "").split("?", 2);
    const query = new URLSearchParams(search);
    const isAwaited =
      request.method === "GET" &&
      path === PATH &&
      expected !== undefined &&
      equalsConstantTime(query.get("state") ?? "", expected);
    response.writeHead(isAwaited ? 200 : 400, HEADERS).end(page(isAwaited));
    if (isAwaited) resolve(query);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const redirectTo = `http://127.0.0.1:${port}${PATH}`;
  const { url, state } = await flow.start({ redirectTo, codeChallenge });
  expected = state;
  flow.signal.throwIfAborted();
  onAbort(flow.signal, () => reject(flow.signal.reason));
  flow.openBrowser(url);
  const answer = await redirected;
  const code = answer.get("code");
  if (!code) throw flow.refused(describeRefusal(answer.get("error")));
  return await flow.exchange(code, verifier);
}

function page(isAwaited: boolean): string {
  const sentence = isAwaited
    ? "Done. You can close this window."
    : "This is not a sign-in redirect.";
  return `<!doctype html><html lang="en"><title>Roundhouse</title><p>${sentence}</p></html>\n`;
}

function describeRefusal(error: string | null): string {
  return error === "email_unverified"
    ? "The provider's e-mail address is not verified yet. Sign up on the sign-in server's page first."
    : "The sign-in was not completed in the browser. Please try again.";
}
