import { existsSync } from "node:fs";
import { CommandFailed } from "../../shared/cli/output.ts";
import { systemClock } from "../../shared/clock.ts";
import { createDatabase, type Database } from "../../shared/database.ts";
import type { Environment } from "../../shared/env.ts";
import { type Logger, silentLogger } from "../../shared/log.ts";
import { openEmbeddedClient } from "../../shared/node/embedded-client.ts";
import { acquireProcessLock } from "../../shared/node/process-lock.ts";
import { createDatabaseAudit } from "../audit/database-audit.ts";
import { openHttpDatabase } from "../db/open-http.ts";
import { makeDataDirectory, resolveDataDirectory } from "../node/data-directory.ts";
import { EMBEDDED_PRAGMAS } from "../node/open-file.ts";
import { createD1CommandClient, type D1Target } from "./d1-command-client.ts";
import type { Target } from "./target.ts";
import type { Wrangler } from "./wrangler.ts";

interface OpenTargetOptions {
  env: Environment;
  /** Creates a missing embedded file. */
  create: boolean;
  d1: D1Target | undefined;
  wrangler: Wrangler;
  /** Shows a remark to the operator. */
  warn(message: string): void;
}

/**
 * The D1 database that is named, else the server of `DATABASE_URL`, else the embedded file, which a server may have open, too (WAL).
 * @throws CommandFailed if there is none.
 */
export async function openTarget(options: OpenTargetOptions): Promise<Target> {
  if (options.d1) return openD1(options.d1, options);
  const url = options.env.DATABASE_URL?.trim();
  return url ? openServer(url, options) : openEmbedded(options);
}

function openD1(d1: D1Target, { env, wrangler, warn }: OpenTargetOptions): Target {
  return {
    ...partsOf(createDatabase(createD1CommandClient(wrangler, d1)), env, warn),
    place: `${d1.name} (D1, ${d1.isRemote ? "remote" : "local"})`,
    filePath: undefined,
    takeAlone: () => true,
    [Symbol.asyncDispose]: async () => {},
  };
}

function openServer(given: string, { env, warn }: OpenTargetOptions): Target {
  const url = URL.parse(given.replace(/^libsql:/, "https:"));
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? "");
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal)) {
    throw new CommandFailed("DATABASE_URL must be the https address of a libSQL server.");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new CommandFailed(
      "DATABASE_URL must have no query: a token belongs in DATABASE_AUTH_TOKEN.",
    );
  }
  const authToken = env.DATABASE_AUTH_TOKEN?.trim() || undefined;
  const { db, close } = openHttpDatabase({ url: url.href, authToken });
  return {
    ...partsOf(db, env, warn),
    place: url.host,
    filePath: undefined,
    takeAlone: () => true,
    [Symbol.asyncDispose]: async () => close(),
  };
}

async function openEmbedded({ env, create, warn }: OpenTargetOptions): Promise<Target> {
  const directory = resolveDataDirectory(env);
  const { database: path } = directory;
  if (create) await makeDataDirectory(directory);
  else if (!existsSync(path)) {
    throw new CommandFailed(
      `There is no database at ${path}. Start the server once, or run \`migrate\`; or set SIGNIN_DATA_DIR.`,
    );
  }
  const client = openEmbeddedClient({ path, pragmas: EMBEDDED_PRAGMAS });
  let lock: Disposable | undefined;
  return {
    ...partsOf(createDatabase(client), env, warn),
    place: path,
    filePath: path,
    takeAlone() {
      lock ??= acquireProcessLock(directory.lock);
      return lock !== undefined;
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      lock?.[Symbol.dispose]();
    },
  };
}

function partsOf(db: Database, env: Environment, warn: (message: string) => void) {
  const clock = systemClock;
  const log: Logger = { ...silentLogger, error: (_fields, message) => warn(message) };
  const fullAddresses = env.AUDIT_FULL_IP === "1";
  return { db, clock, audit: createDatabaseAudit({ db, clock, log, fullAddresses }) };
}
