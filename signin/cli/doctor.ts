import { accessSync, constants, existsSync } from "node:fs";
import { isIP } from "node:net";
import { dirname } from "node:path";
import { BadConfiguration, type Environment } from "../../shared/env.ts";
import { withoutValues } from "../../shared/log.ts";
import { systemErrorCodes } from "../../shared/system-error.ts";
import { parseConfig, type SigninConfig } from "../config/config.ts";
import type { LoginProviderConfig } from "../config/provider-config.ts";
import { createRelyingParty } from "../config/relying-party.ts";
import { VARIABLES } from "../config/variables.ts";
import { SigninError } from "../errors.ts";
import { PROVIDER_TIMEOUT_MS } from "../limits.ts";
import { isOneSite } from "../login/start.ts";
import { listUnknownVariables, resolveDataDirectory } from "../node/data-directory.ts";
import { withThrowawaySecrets } from "../node/development-secrets.ts";
import { requiresTls } from "../node/node-mailer.ts";
import { verifySmtp } from "../node/smtp-mailer.ts";
import { createClientSecret } from "../providers/apple.ts";
import { createMetadata } from "../providers/metadata.ts";
import { createProviderFetch } from "../providers/provider-fetch.ts";
import { ACCESS_TOKEN_CLOCK_TOLERANCE_SEC } from "../public-limits.ts";
import type { CommandContext } from "./context.ts";
import type { CheckResult } from "./results.ts";

type Fetch = typeof globalThis.fetch;
type DoctorContext = Pick<CommandContext, "env" | "fetch" | "clock" | "hasD1" | "openMigrated">;

/** Looks at everything that a server under these variables needs, and changes nothing. No value of a variable is shown. */
export async function* examine(context: DoctorContext): AsyncGenerator<CheckResult> {
  const { env } = context;
  const config = readConfig(env, context.hasD1());
  const bad = Array.isArray(config) ? config : [];
  for (const name of Object.keys(VARIABLES.shape)) {
    const isGood = env[name]?.trim() && !bad.some(({ check }) => check === name);
    if (isGood) yield passed(name, "set");
  }
  for (const sentence of listUnknownVariables(env)) yield failed("variables", sentence);
  yield* bad;
  if (Array.isArray(config)) return;
  const aheadSec: number[] = [];
  const fetch = withTimes(context, aheadSec);
  yield checkSites(config);
  yield await check("passkeys", async () => {
    const { id, origins } = createRelyingParty(config)();
    const belong = `belong to ${id} (PASSKEY_RP_ID), for pages of ${origins.join(" and ")}`;
    // Web Authentication §5.1.3: the RP id is a domain.
    return isIP(id) > 0 || id.startsWith("[")
      ? `${belong}; browsers refuse them on an IP address`
      : belong;
  });
  yield* checkProviders(config, context, fetch);
  yield await checkMail(config, fetch);
  yield await checkDatabase(context);
  yield checkClock(aheadSec);
}

/** The configuration, or a failed check for each bad variable. */
function readConfig(env: Environment, hasD1: boolean): SigninConfig | CheckResult[] {
  try {
    const runtime = hasD1 || env.DATABASE_URL?.trim() ? "workers" : "node";
    return parseConfig(withThrowawaySecrets(env), runtime, { hasD1 });
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    return error.message.split("\n").map((line) => {
      const [name = "", ...rule] = line.split(": ");
      return failed(name, rule.join(": "));
    });
  }
}

function checkSites(config: SigninConfig): CheckResult {
  const { baseUrl, uiUrl } = config;
  if (isOneSite(config)) return passed("addresses", `${baseUrl} and ${uiUrl} are one site`);
  return failed(
    "addresses",
    `${baseUrl} and ${uiUrl} are two sites for browsers: linking will be refused`,
  );
}

async function* checkProviders(
  { baseUrl, providers }: SigninConfig,
  { clock }: DoctorContext,
  fetch: Fetch,
): AsyncGenerator<CheckResult> {
  const callbackOf = (slug: string) => `callback to register: ${baseUrl}/auth/${slug}/callback`;
  for (const provider of providers) {
    const { slug } = provider;
    yield await check(slug, async () => {
      const address = await checkProvider(provider, clock, fetch);
      return `${address} answers; ${callbackOf(slug)}`;
    });
  }
  if (providers.length === 0) yield passed("providers", "none is configured");
}

/** The address that answered. */
async function checkProvider(
  provider: LoginProviderConfig,
  clock: DoctorContext["clock"],
  fetch: Fetch,
): Promise<string> {
  if (provider.kind === "oauth") {
    await reach(fetch, provider.apiUrl);
    return provider.issuer;
  }
  const { appleKey, metadataIssuer } = provider;
  if (appleKey) await createClientSecret(appleKey, { clock, ...provider });
  await createMetadata(clock, createProviderFetch(fetch), provider).get();
  return metadataIssuer;
}

async function checkMail(config: SigninConfig, fetch: Fetch): Promise<CheckResult> {
  const { mail } = config;
  switch (mail.kind) {
    case "none":
      return passed("mail", "MAIL_TRANSPORT is not set: codes cannot be mailed");
    case "log":
      return passed("mail", "goes to the log");
    case "smtp":
      return check("mail", async () => {
        await verifySmtp({ url: mail.url, requireTls: requiresTls(config.env) });
        return "the mail server accepts the connection; `mail test ADDRESS` sends a message";
      });
    case "http":
      return check("mail", async () => {
        await reach(fetch, mail.url);
        return `${new URL(mail.url).host} responds; \`mail test ADDRESS\` sends a message`;
      });
  }
}

async function checkDatabase({ env, hasD1, openMigrated }: DoctorContext): Promise<CheckResult> {
  const { path, database } = resolveDataDirectory(env);
  if (!hasD1() && !env.DATABASE_URL?.trim() && !existsSync(database)) {
    return check("database", async () => {
      accessSync(existingFolder(path), constants.W_OK);
      return `the first start creates ${database}`;
    });
  }
  return check("database", async () => {
    await using target = await openMigrated();
    return `${target.place} is up to date`;
  });
}

function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

/** Compares the clock with the `Date` headers that came, each as the seconds that this machine is ahead. */
function checkClock(aheadSec: readonly number[]): CheckResult {
  const [first] = [...aheadSec].sort((one, other) => Math.abs(one) - Math.abs(other));
  if (first === undefined) return passed("clock", "not compared: no other server was contacted");
  const detail = `${Math.abs(Math.round(first))} s ${first < 0 ? "behind" : "ahead of"} other servers`;
  if (Math.abs(first) <= ACCESS_TOKEN_CLOCK_TOLERANCE_SEC) return passed("clock", detail);
  return failed("clock", `${detail}: set it, or ID tokens are refused`);
}

function withTimes({ fetch, clock }: DoctorContext, aheadSec: number[]): Fetch {
  return async (...request) => {
    const startedAt = clock.now();
    const response = await fetch(...request);
    const theirs = Date.parse(response.headers.get("date") ?? "");
    // A header has whole seconds; the answer was made between the two times of this machine.
    const ours = (startedAt + clock.now()) / 2;
    if (!Number.isNaN(theirs)) aheadSec.push((ours - theirs) / 1000);
    return response;
  };
}

async function check(name: string, run: () => Promise<string>): Promise<CheckResult> {
  try {
    return passed(name, await run());
  } catch (error) {
    return failed(name, reasonOf(error));
  }
}

/** Any answer shows that the server is there: a request without credentials is refused. */
async function reach(fetch: Fetch, url: string): Promise<void> {
  const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
  const response = await fetch(url, { redirect: "manual", signal });
  await response.body?.cancel();
}

function passed(name: string, detail: string): CheckResult {
  return { check: name, ok: true, detail };
}

function failed(name: string, detail: string): CheckResult {
  return { check: name, ok: false, detail };
}

function reasonOf(error: unknown): string {
  if (error instanceof SigninError) return `${error.message} (${String(error.cause)})`;
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no response in time";
  const code = systemErrorCodes(error).find((each) => each !== "");
  if (code !== undefined) return `it cannot be reached (${code})`;
  return error instanceof TypeError ? "it cannot be reached" : withoutValues(error).message;
}
