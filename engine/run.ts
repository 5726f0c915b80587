import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { systemClock, systemTimers, toIsoTime } from "../shared/clock.ts";
import type { Database } from "../shared/database.ts";
import type { Logger } from "../shared/log.ts";
import { createLogger } from "../shared/node/logger.ts";
import { endAtSecondSignal, untilSignal } from "../shared/node/until-signal.ts";
import { randomToken } from "../shared/random.ts";
import { hasSavedSession } from "./account/session-file.ts";
import { createEngine } from "./app.ts";
import { countClientKeys } from "./client-keys/store.ts";
import type { EngineConfig } from "./config.ts";
import { openDatabase, refuseLostDatabase } from "./db/open.ts";
import type { EngineDeps } from "./deps.ts";
import { EventBus } from "./events/bus.ts";
import { Changes } from "./events/changes.ts";
import { BearerCheck, Guard } from "./http/guard.ts";
import { unreadableResponse } from "./http/request-head.ts";
import { HEAP_GROWTH_PERCENT, STOP_WAIT_MS } from "./limits.ts";
import { ServerModels } from "./models/context-window.ts";
import { NodeSockets } from "./realtime/node-sockets.ts";
import { openRetrieval } from "./retrieval/worker-client.ts";
import { createDataDirectory, type DataDirectory } from "./runtime/data-directory.ts";
import { holdInstance } from "./runtime/instance-lock.ts";
import { DEFAULT_PORT, listen } from "./runtime/listen.ts";
import { openLogFile } from "./runtime/log-file.ts";
import { publishRuntimeFile } from "./runtime/runtime-file.ts";
import { createDataKeyStore } from "./secrets/data-key.ts";
import { createKeychain } from "./secrets/keychain.ts";
import { listSealedSamples } from "./secrets/sealed-store.ts";
import { createVault, type Vault } from "./secrets/vault.ts";
import { interruptActiveTurns } from "./turns/record-store.ts";
import { VERSION } from "./version.ts";

const DAMAGED = "The database is damaged. Stop the engine and restore a copy of the database.";

/** Called once the engine listens. The start does not wait for it, and logs its failure. */
export type OnListening = (listening: {
  url: string;
  token: string;
  dataDirectory: string;
  db: Database;
  /** Whether the console is served. */
  console: boolean;
}) => Promise<void>;

/**
 * Runs the engine: open → listen → publish runtime.json → wait for a signal → stop in the opposite order.
 * @throws StartRefused and MigrationRefused if it cannot start; the message is for the operator.
 */
export async function runEngine(
  config: EngineConfig,
  warnings: readonly string[] = [],
  onListening: OnListening = async () => {},
): Promise<void> {
  const stopAsked = untilSignal();
  using starting = endAtSecondSignal();
  const directory = await createDataDirectory(config.dataDirectory);
  using _instance = await holdInstance(directory);
  using logFile = openLogFile(directory.logs);
  const log = createLogger(config.logLevel, [logFile]);
  for (const warning of warnings) log.warn({}, warning);
  // Removed last, after the database is closed: clients rely on it while the engine runs.
  await using published = new AsyncDisposableStack();
  await refuseLostDatabase(directory.database, directory.keyFile);
  await using database = await openDatabase(directory.database, {
    // A clean stop removes it, and no other engine runs here: the last one crashed.
    afterUncleanEnd: existsSync(directory.runtimeFile),
    onDamage: () => log.error({ database: directory.database }, DAMAGED),
  });
  await interruptActiveTurns({ db: database.db, log }, toIsoTime(systemClock.now()));
  const retrieval = openRetrieval({ config, log });
  const token = randomToken();
  const events = new EventBus(systemClock);
  const deps: EngineDeps = {
    config,
    db: database.db,
    events,
    changes: new Changes({ events, timers: systemTimers }),
    clock: systemClock,
    timers: systemTimers,
    log,
    vault: createStoredVault(config, directory, database.db),
    serverModels: new ServerModels(),
    guard: new Guard({ ...config, log }),
    bearer: new BearerCheck(token),
    retrieval,
    fetch: globalThis.fetch,
  };
  const engine = createEngine(deps);
  const sockets = new NodeSockets({ deps, engine });
  await using server = await listen(config, {
    fetch: engine.fetch,
    onUpgrade: (incoming, connection, head) => sockets.upgrade(incoming, connection, head),
    unreadable: (incoming) => unreadableResponse(incoming, deps.guard, log),
    log,
  });
  // Closed before the server, which waits for every connection: an index run may hold one for minutes.
  await using _retrieval = retrieval;
  await using _sockets = sockets;
  const { host } = config;
  const { port } = server;
  deps.guard.listensOn(port);
  if (config.port === undefined && port !== DEFAULT_PORT) await warnOfClientKeys(deps, port);
  const startedAt = toIsoTime(systemClock.now());
  const info = { version: VERSION, pid: process.pid, host, port, token, startedAt };
  published.use(await publishRuntimeFile(directory.runtimeFile, info));
  const url = `http://${host}:${port}`;
  log.info({ url, runtimeFile: directory.runtimeFile }, "The engine is listening.");
  // Streamed turns leave much garbage: the old generation is collected at 1.3 times its size (B-BUILD-13). Not during the start.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
  starting[Symbol.dispose]();
  engine.resume();
  const listening = { url, token, dataDirectory: directory.path, db: database.db };
  onListening({ ...listening, console: config.console }).catch((error: unknown) => {
    log.debug({ error }, "The welcome was interrupted.");
  });

  const reason = await Promise.race([stopAsked, untilFault(log)]);
  log.info({ reason }, "The engine is stopping.");
  endWithin(STOP_WAIT_MS, published);
  server.stopAccepting();
}

/** Other programs have a fixed address beside their key. */
async function warnOfClientKeys({ db, config, log }: EngineDeps, port: number): Promise<void> {
  const count = config.openai ? await countClientKeys(db) : 0;
  if (count === 0) return;
  const programs =
    count === 1
      ? "The program with a client key expects"
      : `The ${count} programs with client keys expect`;
  log.warn({ port }, `${programs} port ${DEFAULT_PORT}, and will not find the engine there.`);
}

function createStoredVault(config: EngineConfig, directory: DataDirectory, db: Database): Vault {
  return createVault(
    createDataKeyStore({
      store: config.credentialStore,
      keyFile: directory.keyFile,
      keychain: createKeychain(directory.path),
      hasSealedData: async () =>
        (await listSealedSamples(db)).length > 0 || (await hasSavedSession(directory.path)),
    }),
  );
}

/** After an uncaught exception the state is unknown, so the engine stops cleanly. It survives an unhandled rejection. */
function untilFault(log: Logger): Promise<string> {
  process.on("unhandledRejection", (error) => {
    log.error({ error }, "Unhandled promise rejection.");
  });
  return new Promise((resolve) => {
    process.on("uncaughtException", (error) => {
      log.error({ error }, "An unexpected failure stops the engine.");
      process.exitCode = 1;
      resolve("fault");
    });
  });
}

/** Ends the process even if a request to a provider or a worker keeps the event loop alive. */
function endWithin(timeoutMs: number, published: AsyncDisposableStack): void {
  const end = () => process.exit();
  setTimeout(() => void published.disposeAsync().then(end, end), timeoutMs).unref();
}
