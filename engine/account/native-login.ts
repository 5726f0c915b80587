import { sha256, toBase64Url } from "../../shared/bytes.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { randomToken } from "../../shared/random.ts";
import { accountServerFailed } from "../errors.ts";
import type { AccountServerClient } from "./account-server.ts";
import { openLoopbackCallback } from "./loopback-callback.ts";

interface NativeLogin {
  server: AccountServerClient;
  /** A slug such as `google` or `github`. */
  provider: string;
  /** Shows the address to the user; it contains no secret. */
  openBrowser(url: string): void;
  signal: AbortSignal;
}

/**
 * Signs in through the system browser with PKCE and a loopback redirect (Sign-in §4; RFC 8252). Resolves to the refresh
 * token of the new session.
 * @throws EngineError `cloud` where the server or the user refuses; the signal's reason where it was aborted.
 */
export async function logInNatively(login: NativeLogin): Promise<string> {
  const { server, provider, openBrowser, signal } = login;
  const { verifier, challenge } = await createPkcePair();
  await using callback = await openLoopbackCallback();
  const query = new URLSearchParams({
    native: "true",
    redirect_to: callback.url,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const { url, state } = await server.startNativeLogin(provider, query);
  const redirected = callback.next(
    (answer) => equalsConstantTime(answer.get("state") ?? "", state),
    signal,
  );
  openBrowser(url);
  const code = (await redirected).get("code");
  if (!code)
    throw accountServerFailed("The sign-in was not completed in the browser. Please try again.");
  return (await server.exchangeNativeCode(code, verifier)).refreshToken;
}

/** A verifier of 43 characters and its S256 challenge (RFC 7636 §4; Sign-in §4, native PKCE rules). */
async function createPkcePair(): Promise<{ verifier: string; challenge: string }> {
  const verifier = randomToken();
  return { verifier, challenge: toBase64Url(await sha256(verifier)) };
}
