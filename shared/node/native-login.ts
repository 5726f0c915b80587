import { sha256, toBase64Url } from "../bytes.ts";
import { equalsConstantTime } from "../constant-time.ts";
import { randomToken } from "../random.ts";
import { openLoopbackCallback } from "./loopback-callback.ts";

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

/**
 * Signs in through the system browser with PKCE and a loopback redirect (Sign-in §4; RFC 8252).
 * @throws what the server's calls throw, `refused` if the user or the provider refuses, the signal's reason
 */
export async function logInThroughBrowser<Answer>(flow: NativeFlow<Answer>): Promise<Answer> {
  const { verifier, challenge } = await createPkcePair();
  await using callback = await openLoopbackCallback();
  const { url, state } = await flow.start({ redirectTo: callback.url, codeChallenge: challenge });
  const redirected = callback.next(
    (answer) => equalsConstantTime(answer.get("state") ?? "", state),
    flow.signal,
  );
  flow.openBrowser(url);
  const answer = await redirected;
  const code = answer.get("code");
  if (!code) throw flow.refused(describeRefusal(answer.get("error")));
  return await flow.exchange(code, verifier);
}

function describeRefusal(error: string | null): string {
  return error === "email_unverified"
    ? "The address of this provider is not proven yet. Sign up on the page of the sign-in server first."
    : "The sign-in was not completed in the browser. Please try again.";
}

/** A verifier of 43 characters and its S256 challenge (RFC 7636 §4; Sign-in §4, native PKCE rules). */
async function createPkcePair(): Promise<{ verifier: string; challenge: string }> {
  const verifier = randomToken();
  return { verifier, challenge: toBase64Url(await sha256(verifier)) };
}
