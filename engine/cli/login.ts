import { systemClock } from "../../shared/clock.ts";
import { BadConfiguration } from "../../shared/env.ts";
import { createAccountServerClient } from "../account/account-server.ts";
import { logInNatively } from "../account/native-login.ts";
import type { EngineClient } from "../client/client.ts";
import type { EngineConfig } from "../config.ts";
import { accountServerFailed } from "../errors.ts";
import { NATIVE_LOGIN_WAIT_MS } from "../limits.ts";

/** The arguments of `engine login`. */
export interface LoginOptions {
  provider: string;
  /** False: only print the address. */
  browser: boolean;
}

interface LoginRun {
  config: Pick<EngineConfig, "accountUrl">;
  /** It gets the session. */
  engine: EngineClient;
  options: LoginOptions;
  /** Shows the address to a person. */
  showAddress(url: string): void;
  showInBrowser(url: string): Promise<boolean>;
  signal: AbortSignal;
}

/**
 * `engine login`: signs the running engine in through the browser. Only the engine keeps and refreshes the session. Resolves to
 * the address of the account.
 * @throws BadConfiguration or EngineError, each with a message that names the way out.
 */
export async function runLogin(login: LoginRun): Promise<string | null> {
  const { config, engine, options, showAddress } = login;
  const accountUrl = config.accountUrl ?? (await engine.account.getServer(login)).url;
  if (accountUrl === null) {
    throw new BadConfiguration(
      "ENGINE_ACCOUNT_URL: start the engine with the address of the account server.",
    );
  }
  const server = createAccountServerClient({
    accountUrl,
    fetch: globalThis.fetch,
    clock: systemClock,
  });
  const timeout = AbortSignal.timeout(NATIVE_LOGIN_WAIT_MS);
  const signal = AbortSignal.any([timeout, login.signal]);
  const refreshToken = await logInNatively({
    server,
    provider: options.provider,
    signal,
    openBrowser(url) {
      showAddress(url);
      // A failure is ignored: the address was printed.
      if (options.browser) void login.showInBrowser(url);
    },
  }).catch((error: unknown) => {
    if (!timeout.aborted) throw error;
    throw accountServerFailed("The sign-in took too long. Please try again.");
  });
  const session = await engine.account.adoptSession({ refreshToken }, login);
  return session.user?.email ?? null;
}
