import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock, systemTimers } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import type { Environment } from "../../shared/env.ts";
import { StartRefused } from "../../shared/failure.ts";
import { bareHost } from "../../shared/host.ts";
import type { Logger } from "../../shared/log.ts";
import { createLogger } from "../../shared/node/logger.ts";
import { type RunningServer, type ServeOptions, serve } from "../../shared/node/serve.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import { settleIssuer } from "../accounts/issuers.ts";
import type { Signin } from "../app.ts";
import { parseConfig, type SigninConfig } from "../config/config.ts";
import { describeRefusedRpId } from "../config/relying-party.ts";
import type { SigninDeps } from "../deps.ts";
import { failure, invalidRequest } from "../errors.ts";
import { failureResponse, toFailure } from "../http/errors.ts";
import { completeHeaders } from "../http/headers.ts";
import { isTrustedHost } from "../http/origins.ts";
import { REQUEST_TIMEOUT_MS } from "../limits.ts";
import { isOneSite } from "../login/start.ts";
import { startDailyCleanup } from "../operations/daily-cleanup.ts";
import {
  holdDirectory,
  listUnknownVariables,
  makeDataDirectory,
  resolveDataDirectory,
} from "./data-directory.ts";
import { mailboxUrl, serveMailbox } from "./development-mailbox/endpoint.ts";
import { createMailbox } from "./development-mailbox/mailbox.ts";
import { withDevelopmentSecrets, withThrowawaySecrets } from "./development-secrets.ts";
import { createMetrics, serveMetrics } from "./metrics.ts";
import { createNodeDeps, meterDeps } from "./node-deps.ts";
import { openFile } from "./open-file.ts";

/** Creates the app. `main.ts` passes it in: only the entry may import both. */
type CreateApp = (deps: SigninDeps) => Signin;

/**
 * Starts the server on Node. Disposing the result stops it in order.
 * @throws BadConfiguration, StartRefused, MigrationRefused
 */
export async function startServer(
  given: Environment,
  createApp: CreateApp,
): Promise<StartedServer> {
  const directory = resolveDataDirectory(given);
  const asked = await withFreePort(given);
  // Validate the configuration before creating files.
  const { listen: address, ...checked } = parseConfig(withThrowawaySecrets(asked));
  const refusal = describeRefusedRpId(checked);
  if (refusal !== undefined) throw new StartRefused(refusal);
  await using stack = new AsyncDisposableStack();
  await makeDataDirectory(directory);
  stack.use(holdDirectory(directory, `http://${address.host}:${address.port}`));
  const { env, generated } = await withDevelopmentSecrets(asked, directory);
  const config = parseConfig(env);
  const log = createLogger(config.logLevel);
  for (const sentence of listUnknownVariables(given)) log.warn({}, sentence);
  const database = stack.use(await openFile(directory.database));
  const { db } = database;
  await requireOwnIssuers(config, db, log);
  stack.use(startDailyCleanup({ db, log, clock: systemClock, timers: systemTimers }));
  const pending = new Set<Promise<unknown>>();
  stack.defer(async () => {
    await Promise.allSettled(pending);
  });
  const metrics = config.metricsToken === undefined ? undefined : await createMetrics(config);
  const mailbox = config.env === "development" ? createMailbox(systemClock) : undefined;
  const parts = createNodeDeps(config, db, log);
  const deps = mailbox ? { ...parts, mailer: mailbox.watch(parts.mailer) } : parts;
  const app = createApp(metrics ? meterDeps(deps, metrics) : deps);
  const fetch = serveMailbox(config, mailbox, serveMetrics(config, metrics, app.fetch));
  stack.use(await listen(config, fetch, { log, pending }));
  logStart(config, { log, generated, dataDirectory: directory.path });
  const held = stack.move();
  return { config, log, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

interface StartedServer extends AsyncDisposable {
  config: SigninConfig;
  log: Logger;
}

/** @throws StartRefused if a provider's issuer has changed under its slug */
async function requireOwnIssuers(config: SigninConfig, db: Database, log: Logger): Promise<void> {
  for (const provider of config.providers) {
    const refusal = await settleIssuer(db, provider, log);
    if (refusal !== undefined) throw new StartRefused(refusal);
  }
}

interface ListenParts {
  log: Logger;
  /** Running background work: the database closes after it. */
  pending: Set<Promise<unknown>>;
}

async function listen(
  config: SigninConfig,
  answer: Signin["fetch"],
  { log, pending }: ListenParts,
): Promise<RunningServer> {
  const waitUntil = (work: Promise<unknown>) => {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  };
  const { listen: address } = config;
  const host = bareHost(address.host);
  const options: ServeOptions = {
    host,
    port: address.port,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    fetch: (request, incoming) =>
      answer(request, {
        address: incoming.socket.remoteAddress,
        host: incoming.headersDistinct.host?.join(", ") ?? "",
        waitUntil,
      }),
    unreadable: (incoming) => refuseUnreadable(config, log, incoming),
  };
  try {
    return await serve(options);
  } catch (error) {
    const code = systemErrorCode(error);
    const reason =
      code === "EADDRINUSE"
        ? "is in use. Set another port, or 0 for any free one"
        : `cannot be used (${code})`;
    throw new StartRefused(`SIGNIN_PORT: ${address.host}:${address.port} ${reason}.`, {
      cause: error,
    });
  }
}

/** Refuses a request that cannot become a `Request`, with the message and headers of any refusal. */
function refuseUnreadable(config: SigninConfig, log: Logger, incoming: IncomingMessage): Response {
  const requestId = crypto.randomUUID();
  const isOwn = isTrustedHost(config, [incoming.headersDistinct.host?.join(", ") ?? ""]);
  const refused = toFailure(isOwn ? invalidRequest() : failure("untrusted_host"), requestId, log);
  const request = new Request(config.baseUrl);
  return completeHeaders(config, failureResponse(refused), { request, requestId });
}

function logStart(
  config: SigninConfig,
  { log, generated, dataDirectory }: { log: Logger; generated: string[]; dataDirectory: string },
): void {
  const { baseUrl, uiUrl } = config;
  if (generated.length > 0) {
    log.warn(
      { names: generated, dataDirectory },
      "Development: missing secrets were generated in the data directory.",
    );
  }
  if (!isOneSite(config)) {
    log.error(
      { failure: "link_flow_cross_site", baseUrl, uiUrl },
      "The user interface and this server are different sites for browsers, so linking is refused.",
    );
  }
  if (config.mail.kind === "none") {
    log.warn({}, "MAIL_TRANSPORT is not set: codes cannot be mailed.");
  }
  const { host, port } = config.listen;
  log.info(
    { url: `http://${host}:${port}`, baseUrl, dataDirectory },
    "The sign-in server is listening.",
  );
  const mailbox = config.env === "development" ? mailboxUrl(config) : undefined;
  if (mailbox !== undefined) {
    log.info({ mailbox }, "Development: this page shows the server's mails and their codes.");
  }
}

/** Port 0 means any free one. It must be known before listening, as the public address of development contains it. */
async function withFreePort(env: Environment): Promise<Environment> {
  if (env.SIGNIN_PORT?.trim() !== "0") return env;
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, env.SIGNIN_HOST || "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return { ...env, SIGNIN_PORT: String(port) };
}
