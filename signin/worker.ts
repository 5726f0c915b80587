import { env } from "cloudflare:workers";
import { systemClock, systemTimers } from "../shared/clock.ts";
import { type Environment, LOG_LEVELS } from "../shared/env.ts";
import { type LogFields, type Logger, redactFields } from "../shared/log.ts";
import { randomBytes } from "../shared/random.ts";
import { createSignin } from "./app.ts";
import { toClientKey } from "./audit/address.ts";
import { createDatabaseAudit } from "./audit/database-audit.ts";
import { parseConfig, type SigninConfig } from "./config/config.ts";
import { openHttpDatabase } from "./db/open-http.ts";
import type { SigninDeps } from "./deps.ts";
import { rateLimited } from "./errors.ts";
import {
  FLOOD_RETRY_SEC,
  WORKER_HASH_INTERVAL_MS,
  WORKER_HASH_REST_MS,
  WORKER_HASH_WAIT_MS_MAX,
  WORKER_HASHES_WAITING_MAX,
  WORKER_HASHES_WAITING_PER_NETWORK_MAX,
} from "./limits.ts";
import { createMailer } from "./mail/create-mailer.ts";
import { cleanUp } from "./operations/cleanup.ts";
import { createThrottledQueue } from "./passwords/hash-queue.ts";
import { deriveWithScrypt } from "./passwords/scrypt.ts";
import { createScryptHasher } from "./passwords/scrypt-hasher.ts";
import { createDatabaseLimiter } from "./rate-limits/database-limiter.ts";
import { createMemoryLimiter } from "./rate-limits/memory-limiter.ts";
import { createLayeredLimiter } from "./rate-limits/rate-limiter.ts";
import { readD1Binding, toD1Database } from "./workers/d1-client.ts";
import { createSchemaGate } from "./workers/schema-gate.ts";

// Read at the start of the module, so that `wrangler deploy` refuses a Worker with a bad variable.
const d1 = readD1Binding(env.DB);
const config = parseConfig(env as Environment, "workers", { hasD1: d1 !== undefined });
const deps = createDeps(config);
const signin = createSignin(deps);
const requireCurrentSchema = createSchemaGate(deps.openDb);

/** The Cloudflare runtime: client addresses from the edge, and a database client over HTTP for each request. */
export default {
  fetch(request: Request, _env: unknown, context: WorkerContext): Promise<Response> {
    const address = request.headers.get("cf-connecting-ip") ?? "";
    return signin.fetch(request, {
      address,
      addressIsFinal: true,
      async before() {
        await stopFlood(address);
        if (new URL(request.url).pathname.startsWith("/auth/")) await requireCurrentSchema();
      },
      waitUntil: (work) => context.waitUntil(work),
    });
  },

  /** Once a day, by the trigger in wrangler.toml. */
  async scheduled(): Promise<void> {
    const { db, close } = deps.openDb();
    try {
      await requireCurrentSchema();
      const counts = await cleanUp({ db, clock: systemClock });
      deps.log.info({ counts }, "Cleanup deleted expired rows.");
    } finally {
      close();
    }
  },
};

function createDeps(given: SigninConfig): SigninDeps {
  const log = createConsoleLogger(given.logLevel);
  // Each isolate counts for itself what needs no row. What guards passwords and codes is in the database.
  const transient = createMemoryLimiter(systemClock);
  return {
    config: given,
    openDb: createOpener(given),
    openAudit: (db) =>
      createDatabaseAudit({ db, log, clock: systemClock, fullAddresses: given.auditFullIp }),
    openRateLimiter: (db) =>
      createLayeredLimiter({ durable: createDatabaseLimiter(db, systemClock), transient }),
    clock: systemClock,
    random: randomBytes,
    fetch: (input, init) => fetch(input, init),
    log,
    mailer: createMailer(given.mail, {
      fetch: (input, init) => fetch(input, init),
      writeLine: (line) => console.log(line),
    }),
    pause:
      given.env === "test"
        ? undefined
        : (ms) => new Promise((resolve) => systemTimers.after(ms, resolve)),
    // workerd's scrypt is synchronous: it blocks the isolate.
    hasher: createScryptHasher({
      derive: deriveWithScrypt,
      queue: createThrottledQueue({
        clock: systemClock,
        timers: systemTimers,
        intervalMs: WORKER_HASH_INTERVAL_MS,
        restMs: WORKER_HASH_REST_MS,
        waitingMax: WORKER_HASHES_WAITING_MAX,
        waitingPerNetworkMax: WORKER_HASHES_WAITING_PER_NETWORK_MAX,
        waitMsMax: WORKER_HASH_WAIT_MS_MAX,
      }),
    }),
  };
}

/** D1 has one database for the isolate; a libSQL server has a client for each request. */
function createOpener({ database }: SigninConfig): SigninDeps["openDb"] {
  if (d1) {
    const open = toD1Database(d1);
    return () => open;
  }
  // parseConfig requires one of the two on Workers.
  if (!database) throw new Error("DATABASE_URL is not set.");
  return () => openHttpDatabase(database);
}

async function stopFlood(address: string): Promise<void> {
  const binding = env.FLOOD_LIMIT as RateLimitBinding | undefined;
  const answer = await binding?.limit({ key: toClientKey(address) });
  if (answer?.success === false) throw rateLimited(FLOOD_RETRY_SEC);
}

/** JSON lines on the console, from which Cloudflare collects logs. The fields are those of Node. */
function createConsoleLogger(level: (typeof LOG_LEVELS)[number]): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const write = (name: "debug" | "info" | "warn" | "error") => (fields: LogFields, msg: string) => {
    if (LOG_LEVELS.indexOf(name) < least) return;
    const clean = redactFields(fields) as LogFields;
    console[name](JSON.stringify({ level: name, time: new Date().toISOString(), ...clean, msg }));
  };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
