import { createServer } from "node:http";
import { join } from "node:path";
import type { Environment } from "../../shared/env.ts";
import { migrate } from "../../shared/migrate.ts";
import { startLibsqlServer } from "../../shared/node/libsql-server.ts";
import { randomToken } from "../../shared/random.ts";
import { parseConfig, type SigninConfig } from "../config.ts";
import { migrations } from "../db/migrations.generated.ts";
import { openHttpDatabase } from "../db/open-http.ts";
import {
  findDataDirectory,
  holdDirectory,
  openDataDirectory,
  StartRefused,
} from "./data-directory.ts";
import { withDevelopmentSecrets, withThrowawaySecrets } from "./development-secrets.ts";

const PROJECT = join(import.meta.dirname, "../..");

/** The Worker on this machine: its address, until it is disposed. */
export interface EdgeServer extends AsyncDisposable {
  url: string;
  baseUrl: string;
  dataDirectory: string;
}

/**
 * The same Worker as in production, in workerd, through wrangler; its libSQL server is the development one, on the file
 * of `SIGNIN_DATA_DIR` that the Node rim uses, too. Lines of the Worker go to standard error.
 * @throws BadConfiguration, StartRefused, MigrationRefused
 */
export async function startEdgeServer(given: Environment): Promise<EdgeServer> {
  const directory = findDataDirectory(given);
  const asked = { ...given, DATABASE_URL: "http://127.0.0.1:1", DATABASE_AUTH_TOKEN: undefined };
  // What is bad is told before anything is made.
  const { listen } = parseConfig(withThrowawaySecrets(asked), "workers");
  const port = await requireFreePort(listen);
  await using stack = new AsyncDisposableStack();
  await openDataDirectory(directory);
  stack.use(holdDirectory(directory, `http://${listen.host}:${port}`));
  const { env } = await withDevelopmentSecrets(asked, directory);
  const authToken = randomToken();
  const database = stack.use(
    // FULL, as the Node rim has it: the file is the same.
    await startLibsqlServer({ path: directory.database, authToken, pragmas: ["synchronous=FULL"] }),
  );
  await migrateOverHttp({ url: database.url, authToken });
  const variables = {
    ...env,
    APP_ENV: env.APP_ENV?.trim() || "development",
    SIGNIN_PORT: String(port),
    DATABASE_URL: database.url,
    DATABASE_AUTH_TOKEN: authToken,
  };
  const { baseUrl } = parseConfig(variables, "workers");
  const worker = await startWithWrangler({ variables, host: listen.host, port });
  stack.defer(() => worker.dispose());
  const held = stack.move();
  return {
    url: `http://${listen.host}:${port}`,
    baseUrl,
    dataDirectory: directory.path,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
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
}: {
  variables: Environment;
  host: string;
  port: number;
}): Promise<WranglerWorker> {
  const own = STOP_SIGNALS.map((signal) => ({ signal, listeners: process.listeners(signal) }));
  const { unstable_startWorker: startWorker } = await import("wrangler");
  const bindings = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, { type: "plain_text" as const, value }]],
  );
  const worker: WranglerWorker = await startWorker({
    config: join(PROJECT, "wrangler.toml"),
    bindings: Object.fromEntries(bindings),
    sendMetrics: false,
    dev: {
      server: { hostname: host.replace(/^\[(.*)\]$/, "$1"), port },
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
  // wrangler ends the process by itself when a signal comes. How this one stops, and in which order, is ours to say.
  for (const { signal, listeners } of own) {
    for (const listener of process.listeners(signal)) {
      if (!listeners.includes(listener)) process.off(signal, listener);
    }
  }
  return worker;
}

/** The port to listen on; wrangler would take another one without a word. @throws StartRefused */
async function requireFreePort({ host, port }: SigninConfig["listen"]): Promise<number> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, host.replace(/^\[(.*)\]$/, "$1"), resolve);
    });
    const address = probe.address();
    return typeof address === "object" && address ? address.port : port;
  } catch (error) {
    throw new StartRefused(`SIGNIN_PORT: ${host}:${port} cannot be listened on.`, { cause: error });
  } finally {
    probe.close();
  }
}
