import { createServer } from "node:http";
import { join } from "node:path";
import type { Environment } from "../shared/env.ts";
import { StartRefused } from "../shared/failure.ts";
import { bareHost } from "../shared/host.ts";
import { migrate } from "../shared/migrate.ts";
import { randomToken } from "../shared/random.ts";
import { systemErrorCode } from "../shared/system-error.ts";
import { parseConfig, type SigninConfig } from "../signin/config/config.ts";
import { migrations } from "../signin/db/migrations.generated.ts";
import { openHttpDatabase } from "../signin/db/open-http.ts";
import {
  type DataDirectory,
  holdDirectory,
  makeDataDirectory,
  resolveDataDirectory,
} from "../signin/node/data-directory.ts";
import {
  withDevelopmentSecrets,
  withThrowawaySecrets,
} from "../signin/node/development-secrets.ts";
import { startLibsqlServer } from "./libsql-server/libsql-server.ts";

const PROJECT = join(import.meta.dirname, "..");

/** The Worker on this machine. Disposing it stops it. */
export interface EdgeServer extends AsyncDisposable {
  url: string;
  baseUrl: string;
  /** The place of the data: a folder, or the host of `DATABASE_URL`. */
  database: string;
}

/**
 * The same Worker as in production, in workerd, through wrangler. Its database is the server of `DATABASE_URL`, else a development
 * server on the file of `SIGNIN_DATA_DIR` that the Node runtime uses, too. Lines of the Worker go to standard error.
 * @throws BadConfiguration, StartRefused, MigrationRefused
 */
export async function startEdgeServer(given: Environment): Promise<EdgeServer> {
  const isOwn = !given.DATABASE_URL?.trim();
  const own = { DATABASE_URL: "http://127.0.0.1:1", DATABASE_AUTH_TOKEN: undefined };
  const asked = isOwn ? { ...given, ...own } : given;
  // Validate the configuration before creating files.
  const { listen } = parseConfig(withThrowawaySecrets(asked), "workers");
  const port = await requireFreePort(listen);
  await using stack = new AsyncDisposableStack();
  const directory = resolveDataDirectory(given);
  await makeDataDirectory(directory);
  const { env } = await withDevelopmentSecrets(asked, directory);
  const database = isOwn
    ? await openOwnDatabase(stack, directory, `http://${listen.host}:${port}`)
    : { variables: {}, place: URL.parse(env.DATABASE_URL ?? "")?.host ?? "" };
  const variables = {
    ...env,
    APP_ENV: env.APP_ENV?.trim() || "development",
    SIGNIN_PORT: String(port),
    ...database.variables,
  };
  const { baseUrl } = parseConfig(variables, "workers");
  // A public address with this port is served as configured; with another one a proxy terminates TLS.
  const isHttps = baseUrl === `https://${listen.host}:${port}`;
  const worker = await startWithWrangler({ variables, host: listen.host, port, isHttps });
  stack.defer(() => worker.dispose());
  const held = stack.move();
  return {
    url: `${isHttps ? "https" : "http"}://${listen.host}:${port}`,
    baseUrl,
    database: database.place,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The migrated development database. `stack` disposes it. */
async function openOwnDatabase(
  stack: AsyncDisposableStack,
  directory: DataDirectory,
  url: string,
): Promise<{ variables: Environment; place: string }> {
  stack.use(holdDirectory(directory, url));
  const authToken = randomToken();
  const database = stack.use(
    // FULL, as in the Node runtime, which uses the same file.
    await startLibsqlServer({ path: directory.database, authToken, pragmas: ["synchronous=FULL"] }),
  );
  await migrateOverHttp({ url: database.url, authToken });
  return {
    variables: { DATABASE_URL: database.url, DATABASE_AUTH_TOKEN: authToken },
    place: directory.path,
  };
}

async function migrateOverHttp(address: { url: string; authToken: string }): Promise<void> {
  const { db, close } = openHttpDatabase(address);
  try {
    await migrate(db.$client, migrations);
  } finally {
    close();
  }
}

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface WranglerWorker {
  ready: Promise<void>;
  dispose(): Promise<void>;
}

async function startWithWrangler({
  variables,
  host,
  port,
  isHttps,
}: {
  variables: Environment;
  host: string;
  port: number;
  /** With a self-signed certificate of wrangler. */
  isHttps: boolean;
}): Promise<WranglerWorker> {
  const own = STOP_SIGNALS.map((signal) => ({ signal, listeners: process.listeners(signal) }));
  const { unstable_startWorker: startWorker } = await importWrangler();
  const bindings = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, { type: "plain_text" as const, value }]],
  );
  const worker: WranglerWorker = await startWorker({
    config: join(PROJECT, "wrangler.toml"),
    bindings: Object.fromEntries(bindings),
    sendMetrics: false,
    dev: {
      server: { hostname: bareHost(host), port, secure: isHttps },
      inspector: false,
      watch: false,
      liveReload: false,
      persist: false,
      logLevel: "error",
      structuredLogsHandler: ({ message }: { message: string }) =>
        process.stderr.write(`${message}\n`),
    },
  });
  await worker.ready;
  // wrangler ends the process on a signal. This program stops in its own order.
  for (const { signal, listeners } of own) {
    for (const listener of process.listeners(signal)) {
      if (!listeners.includes(listener)) process.off(signal, listener);
    }
  }
  return worker;
}

async function importWrangler() {
  try {
    return await import("wrangler");
  } catch (error) {
    if (systemErrorCode(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new StartRefused(
      "signin:edge needs wrangler, a package for development. Run `npm ci` without --omit=dev.",
      { cause: error },
    );
  }
}

/** The port to listen on: wrangler would silently choose another one. @throws StartRefused */
async function requireFreePort({ host, port }: SigninConfig["listen"]): Promise<number> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, bareHost(host), resolve);
    });
    const address = probe.address();
    return typeof address === "object" && address ? address.port : port;
  } catch (error) {
    throw new StartRefused(`SIGNIN_PORT: ${host}:${port} cannot be listened on.`, { cause: error });
  } finally {
    probe.close();
  }
}
