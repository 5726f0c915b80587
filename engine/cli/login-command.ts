import type { Command } from "commander";
import { systemClock } from "../../shared/clock.ts";
import { BadConfiguration } from "../../shared/env.ts";
import { logInThroughBrowser } from "../../shared/node/native-login.ts";
import type { AccountServerClient } from "../account/account-server.ts";
import type { EngineClient } from "../client/client.ts";
import { accountServerFailed } from "../errors.ts";
import { NATIVE_LOGIN_WAIT_MS } from "../limits.ts";
import type { CommandContext } from "./context.ts";

/** `login`. */
export function addLoginCommand(program: Command, context: CommandContext): void {
  program
    .command("login")
    .description("Sign the running engine in to its account server, through the browser.")
    .option("--provider <slug>", "the provider to sign in with, such as google or github", "google")
    .option("--no-browser", "print the address instead of opening it")
    .action(async (options: { provider: string; browser: boolean }) => {
      await using engine = await context.openEngine();
      const email = await runLogin(context, engine, options);
      context.out().entry({ email }, `Signed in as ${email ?? "unknown"}.`);
    });
}

/**
 * Signs the running engine in through the browser. Only the engine keeps and refreshes the session. Resolves to the address of
 * the account.
 * @throws BadConfiguration or EngineError, each with a message that names the way out.
 */
async function runLogin(
  context: CommandContext,
  engine: EngineClient,
  { provider, browser }: { provider: string; browser: boolean },
): Promise<string | null> {
  const accountUrl = context.config().accountUrl ?? (await engine.account.getServer(context)).url;
  if (accountUrl === null) {
    throw new BadConfiguration(
      "ENGINE_ACCOUNT_URL: start the engine with the address of the account server.",
    );
  }
  // Loaded only here: it has the schemas of the account server.
  const { createAccountServerClient } = await import("../account/account-server.ts");
  const server = createAccountServerClient({ accountUrl, fetch, clock: systemClock });
  const timeout = AbortSignal.timeout(NATIVE_LOGIN_WAIT_MS);
  const signal = AbortSignal.any([timeout, context.signal]);
  const login = logInNatively(server, {
    provider,
    openBrowser(url) {
      context.out().entry({ sign_in_at: url }, `Sign in at:\n${url}`);
      // A failure is ignored: the address was printed.
      if (browser) void context.showInBrowser(url);
    },
    signal,
  });
  const refreshToken = await login.catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw accountServerFailed("The sign-in took too long. Please try again.");
  });
  const session = await engine.account.adoptSession({ refreshToken }, context);
  return session.user?.email ?? null;
}

interface NativeLogin {
  /** A slug such as `google` or `github`. */
  provider: string;
  /** Shows the address to the user; it contains no secret. */
  openBrowser(url: string): void;
  signal: AbortSignal;
}

/**
 * Signs in through the system browser. Resolves to the refresh token of the new session.
 * @throws EngineError `cloud` if the server or the user refuses; the signal's reason if it was aborted.
 * @internal for tests
 */
export async function logInNatively(
  server: AccountServerClient,
  { provider, openBrowser, signal }: NativeLogin,
): Promise<string> {
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
