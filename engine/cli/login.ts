import { z } from "zod";
import { systemClock } from "../../shared/clock.ts";
import { BadConfiguration } from "../../shared/env.ts";
import { StartRefused } from "../../shared/failure.ts";
import { createAccountServerClient } from "../account/account-server.ts";
import { logInNatively } from "../account/native-login.ts";
import { AccountServer, AccountSession } from "../account/wire.ts";
import type { EngineConfig } from "../config.ts";
import { accountServerFailed } from "../errors.ts";
import { ACCOUNT_TIMEOUT_MS, NATIVE_LOGIN_WAIT_MS } from "../limits.ts";
import type { RuntimeInfo } from "../runtime/runtime-file.ts";
import { showInBrowser } from "./show-in-browser.ts";

/** The arguments of `engine login`. */
export interface LoginOptions {
  provider: string;
  /** False: only print the address. */
  browser: boolean;
}

interface LoginRun {
  config: EngineConfig;
  /** The engine that runs on this data directory; it gets the session. */
  engine: RuntimeInfo | undefined;
  options: LoginOptions;
  say(sentence: string): void;
}

/**
 * `engine login`: signs the running engine in through the browser. Only the engine keeps and refreshes the session.
 * @throws BadConfiguration, StartRefused or EngineError, each with a message that names the way out.
 */
export async function runLogin({ config, engine, options, say }: LoginRun): Promise<void> {
  if (!engine) {
    throw new StartRefused("No engine runs on this data directory. Start it first: npm start");
  }
  const accountUrl = config.accountUrl ?? (await fetchAccountUrl(engine));
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
  const signal = AbortSignal.timeout(NATIVE_LOGIN_WAIT_MS);
  const refreshToken = await logInNatively({
    server,
    provider: options.provider,
    signal,
    openBrowser(url) {
      say(`Sign in at:\n${url}`);
      if (options.browser) showInBrowser(url);
    },
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw accountServerFailed("The sign-in took too long. Please try again.");
  });
  const session = await handOver(engine, refreshToken);
  say(`Signed in as ${session.user?.email ?? "unknown"}.`);
}

const Refusal = z.object({ error: z.string() });

async function fetchAccountUrl(engine: RuntimeInfo): Promise<string | null> {
  const response = await callEngine(engine, "/account/server", {
    signal: AbortSignal.timeout(ACCOUNT_TIMEOUT_MS),
  });
  const answer = AccountServer.safeParse(await response.json());
  return answer.data?.url ?? null;
}

async function handOver(engine: RuntimeInfo, refreshToken: string): Promise<AccountSession> {
  const response = await callEngine(engine, "/account/adopt", {
    method: "POST",
    body: JSON.stringify({ refresh_token: refreshToken }),
    signal: AbortSignal.timeout(2 * ACCOUNT_TIMEOUT_MS),
  });
  const answer: unknown = await response.json();
  if (response.ok) return AccountSession.parse(answer);
  const refusal = Refusal.safeParse(answer);
  throw accountServerFailed(refusal.data?.error ?? "The engine did not accept the session.");
}

async function callEngine(
  { host, port, token }: RuntimeInfo,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  try {
    return await fetch(`http://${host}:${port}/api/v1${path}`, { ...init, headers });
  } catch (error) {
    throw new StartRefused("The engine does not answer. Start it again: npm start", {
      cause: error,
    });
  }
}
