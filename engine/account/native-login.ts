import { logInThroughBrowser } from "../../shared/node/native-login.ts";
import { accountServerFailed } from "../errors.ts";
import type { AccountServerClient } from "./account-server.ts";

interface NativeLogin {
  server: AccountServerClient;
  /** A slug such as `google` or `github`. */
  provider: string;
  /** Shows the address to the user; it contains no secret. */
  openBrowser(url: string): void;
  signal: AbortSignal;
}

/**
 * Signs in through the system browser. Resolves to the refresh token of the new session.
 * @throws EngineError `cloud` if the server or the user refuses; the signal's reason if it was aborted.
 */
export async function logInNatively(login: NativeLogin): Promise<string> {
  const { server, provider, openBrowser, signal } = login;
  const tokens = await logInThroughBrowser({
    start({ redirectTo, codeChallenge }) {
      const query = new URLSearchParams({
        native: "true",
        redirect_to: redirectTo,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      });
      return server.startNativeLogin(provider, query);
    },
    openBrowser,
    exchange: (code, verifier) => server.exchangeNativeCode(code, verifier),
    refused: accountServerFailed,
    signal,
  });
  return tokens.refreshToken;
}
