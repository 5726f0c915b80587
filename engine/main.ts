import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { systemClock } from "../shared/clock.ts";
import { BadConfiguration, type Environment } from "../shared/env.ts";
import type { Logger } from "../shared/log.ts";
import { MigrationRefused } from "../shared/migrate.ts";
import { createLogger } from "../shared/node/logger.ts";
import { untilSignal } from "../shared/node/until-signal.ts";
import { randomToken } from "../shared/random.ts";
import { systemTimers } from "../shared/timers.ts";
import { createEngine } from "./app.ts";
import type { LoginOptions } from "./cli/login.ts";
import { type EngineConfig, parseConfig } from "./config.ts";
import { openDatabase } from "./db/open.ts";
import { EngineError } from "./errors.ts";
import { EventBus } from "./events/bus.ts";
import { BearerCheck } from "./http/bearer.ts";
import { Guard } from "./http/guard.ts";
import { unreadableResponse } from "./http/request-head.ts";
import { STOP_WAIT_MS } from "./limits.ts";
import { NodeSockets } from "./realtime/node-sockets.ts";
import { openDataDirectory } from "./runtime/data-directory.ts";
import { holdInstance } from "./runtime/instance-lock.ts";
import { listen } from "./runtime/listen.ts";
import { openLogFile } from "./runtime/log-file.ts";
import { publishRuntimeFile, readRuntimeFile } from "./runtime/runtime-file.ts";
import { StartRefused } from "./runtime/start-refused.ts";
import { createDataKeyStore } from "./secrets/data-key.ts";
import { openKeychain } from "./secrets/keychain.ts";
import { listSealedSamples } from "./secrets/sealed-store.ts";
import { createVault } from "./secrets/vault.ts";
import { VERSION } from "./version.ts";

// The Node program: env → config → open → listen → publish runtime.json → wait for a signal → stop.
await main(process.argv.slice(2), process.env);

async function main(args: string[], env: Environment): Promise<void> {
  const start = () => run(parseConfig(env));
  const login = (options: LoginOptions) => logIn(parseConfig(env), options);
  try {
    if (args.length === 0) return await start();
    const { createProgram } = await import("./cli/program.ts");
    await createProgram({ start, login }).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${sentenceOf(error)}\n`);
  }
}

async function logIn(config: EngineConfig, options: LoginOptions): Promise<void> {
  const { runLogin } = await import("./cli/login.ts");
  const engine = await readRuntimeFile(join(config.dataDirectory, "runtime.json"));
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  await runLogin({ config, engine, options, say });
}

async function run(config: EngineConfig): Promise<void> {
  const stopAsked = untilSignal();
  const directory = await openDataDirectory(config.dataDirectory);
  using _instance = await holdInstance(directory);
  using logFile = openLogFile(directory.logs);
  const log = createLogger(config.logLevel, [logFile]);
  // Removed last, after the database is closed: clients may rely on it while anything of the engine is there.
  await using published = new AsyncDisposableStack();
  await using database = await openDatabase(directory.database);
  const token = randomToken();
  const guard = new Guard(config);
  const bearer = new BearerCheck(token);
  const engine = createEngine({
    config,
    db: database.db,
    events: new EventBus(systemClock),
    clock: systemClock,
    timers: systemTimers,
    log,
    vault: createVault(
      createDataKeyStore({
        store: config.credentialStore,
        keyFile: directory.keyFile,
        keychain: openKeychain(directory.path),
        hasSealedData: async () => (await listSealedSamples(database.db)).length > 0,
      }),
    ),
    guard,
    bearer,
    fetch: globalThis.fetch,
  });
  const sockets = new NodeSockets({
    deps: { guard, bearer, log, timers: systemTimers },
    engine,
  });
  await using server = await listen(config, {
    fetch: engine.fetch,
    onUpgrade: (incoming, connection, head) => sockets.upgrade(incoming, connection, head),
    unreadable: (incoming: IncomingMessage) => unreadableResponse(incoming, guard, log),
  });
  // Before the server, which waits for all that is open.
  await using _sockets = sockets;
  const { host } = config;
  const { port } = server;
  guard.listensOn(port);
  const startedAt = new Date(systemClock.now()).toISOString();
  published.use(
    await publishRuntimeFile(directory.runtimeFile, {
      version: VERSION,
      pid: process.pid,
      host,
      port,
      token,
      startedAt,
    }),
  );
  log.info(
    { url: `http://${host}:${port}`, runtimeFile: directory.runtimeFile },
    "The engine listens.",
  );
  const reason = await Promise.race([stopAsked, untilFault(log)]);
  log.info({ reason }, "The engine stops.");
  endWithin(STOP_WAIT_MS);
}

/** A fault that nothing caught leaves unknown state behind: the engine stops in order. A lost promise does not. */
function untilFault(log: Logger): Promise<string> {
  process.on("unhandledRejection", (error) => {
    log.error({ error }, "A failure was not waited for.");
  });
  return new Promise((resolve) => {
    process.on("uncaughtException", (error) => {
      log.error({ error }, "An unexpected failure stops the engine.");
      process.exitCode = 1;
      resolve("fault");
    });
  });
}

/** Ends the process even where something keeps the event loop alive: a request to a provider, a worker. */
function endWithin(timeoutMs: number): void {
  setTimeout(() => process.exit(), timeoutMs).unref();
}

function sentenceOf(error: unknown): string {
  const known =
    error instanceof BadConfiguration ||
    error instanceof StartRefused ||
    error instanceof EngineError ||
    error instanceof MigrationRefused;
  if (known) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
