import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, createClient } from "@libsql/client/web";
import Connection from "libsql";
import { describeForUser } from "../../../shared/failure.ts";
import { migrate } from "../../../shared/migrate.ts";
import { createSignin } from "../../../signin/app.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { startServer } from "../../../signin/node/run-server.ts";
import { createD1Client } from "../../../signin/workers/d1-client.ts";
import { freePort } from "../fake-server.ts";
import { MACHINE } from "../processes.ts";
import { until, WATCHDOG_MS } from "../time.ts";
import { buildQuickWorker, buildWorker, startWorker, WorkerRefused } from "../worker.ts";
import { type Fault, startFaultyLibsqlServer } from "./libsql-server.ts";
import { buildSignin, type Limits, QUICK_HASHER } from "./program.ts";

export type Variables = Record<string, string>;

/** A running sign-in server, seen from outside; `sql` looks into its database, as an operator could. */
export interface RunningSignin extends AsyncDisposable {
  baseUrl: string;
  /** Everything that it wrote to its log. */
  output(): string;
  sql(text: string, args?: (string | number)[]): Promise<Record<string, unknown>[]>;
  /** Loses an answer of the database, where this runtime has a network between the two. */
  failNext?(fault: Fault, matches?: (sql: string) => boolean): Promise<void>;
  /** Ends the process without a word, where there is one. */
  kill?(): Promise<void>;
  /** Another isolate or connection of the same server, where the runtime may have several. */
  bootSibling?(): Promise<RunningSignin>;
}

/** One place where the sign-in server runs. */
export interface SigninRuntime {
  name: "node" | "workers";
  database: "embedded" | "libsql" | "d1";
  boot(variables?: Variables): Promise<RunningSignin>;
  /** Boots under variables that must be refused; what the server said about it. */
  refusal(variables: Variables): Promise<string>;
}

const ATTEMPTS_MAX = 3;
const PORT_TAKEN = /is in use/;

/** Fixed, so that a failure can be repeated; long and random, as production wants them. */
export const KEYS = {
  JWT_SECRET_KEY: "f0e4c2f76c58916ec258f246851bea091d14d4247a2fc3e18694461b1816e13b",
  TOKEN_ENCRYPTION_KEY: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
};

function signinVariables(port: number, given: Variables): Variables {
  return {
    APP_ENV: "test",
    APP_BASE_URL: `http://127.0.0.1:${port}`,
    SIGNIN_PORT: String(port),
    TRUSTED_PROXIES: "127.0.0.1",
    ...KEYS,
    ...given,
  };
}

/** The real process on an embedded file, with these limits. */
export function createNodeRuntime(limits?: Limits): SigninRuntime {
  return {
    name: "node",
    database: "embedded",
    boot: (given = {}) => withFreePort(given, (port) => bootNode(port, given, limits)),
    async refusal(given) {
      const port = await freePort();
      const folder = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
      const variables = signinVariables(port, { SIGNIN_DATA_DIR: folder, ...given });
      const { child, output } = await startProcess(variables, limits);
      const watchdog = AbortSignal.timeout(WATCHDOG_MS);
      watchdog.addEventListener("abort", () => child.kill("SIGKILL"));
      child.ref();
      const [code] = (await once(child, "close")) as [number | null];
      await rm(folder, { recursive: true, force: true });
      if (code === 0 || code === null) throw new Error(`It was not refused: ${output()}`);
      return output();
    },
  };
}

export const nodeRuntime = createNodeRuntime();

/** The same server within the process of the test, for what is not about the start of a process. It logs nothing, and hashes quickly. */
export const inProcessRuntime: SigninRuntime = {
  name: "node",
  database: "embedded",
  boot: (given = {}) => withFreePort(given, (port) => bootInProcess(port, given)),
  async refusal(given) {
    try {
      await using _ = await bootInProcess(await freePort(), given);
    } catch (error) {
      return describeForUser(error);
    }
    throw new Error("It was not refused.");
  },
};

async function bootInProcess(port: number, given: Variables): Promise<RunningSignin> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const variables = { SIGNIN_DATA_DIR: folder, SIGNIN_LOG_LEVEL: "silent", ...given };
  stack.use(
    await startServer(signinVariables(port, variables), (deps) =>
      createSignin({ ...deps, hasher: QUICK_HASHER }),
    ),
  );
  const path = join(variables.SIGNIN_DATA_DIR, "signin.db");
  const reader = new Connection(path);
  stack.defer(() => void reader.close());
  const held = stack.move();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    output: () => "A server within the process of the test logs nothing.",
    // By the package of the server: a second SQLite in one process would drop the locks of the first one.
    sql: async (text, args = []) => reader.prepare(text).all(...args) as Record<string, unknown>[],
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The address is a variable, so the port is chosen first; another program can take it meanwhile. */
async function withFreePort<Value>(
  given: Variables,
  boot: (port: number) => Promise<Value>,
): Promise<Value> {
  if (given.SIGNIN_PORT) return boot(Number(given.SIGNIN_PORT));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await boot(await freePort());
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !PORT_TAKEN.test(String(error))) throw error;
    }
  }
}

async function bootNode(port: number, given: Variables, limits?: Limits): Promise<RunningSignin> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
  const directory = given.SIGNIN_DATA_DIR ?? folder;
  const variables = signinVariables(port, { SIGNIN_DATA_DIR: folder, ...given });
  const { child, output, isClosed } = await startProcess(variables, limits);
  // One for all looks: each close of the server's own driver collects all garbage of this process, and each new one of Node's
  // reads the whole schema.
  let reader: DatabaseSync | undefined;
  const read = () => {
    reader ??= new DatabaseSync(join(directory, "signin.db"), { timeout: WATCHDOG_MS });
    return reader;
  };
  const stop = async () => {
    reader?.close();
    reader = undefined;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      child.ref();
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilHealthy(`http://127.0.0.1:${port}`, { isClosed, output });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    output,
    async kill() {
      child.kill("SIGKILL");
      child.ref();
      await once(child, "exit");
    },
    sql: async (text, args = []) =>
      read()
        .prepare(text)
        .all(...args),
    [Symbol.asyncDispose]: stop,
  };
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

async function startProcess(variables: Variables, limits?: Limits) {
  const chunks: string[] = [];
  const child = spawn(process.execPath, [await buildSignin(limits)], {
    // Only these: a variable of the machine must not decide a test. An empty one counts as unset.
    env: { ...MACHINE, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A test that failed half-way must not wait for its server for ever, nor leave it behind.
  child.unref();
  running.add(child);
  child.once("exit", () => running.delete(child));
  for (const stream of [child.stdout, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }
  let closed = false;
  child.once("close", () => {
    closed = true;
  });
  // After "exit", what it wrote may still arrive; after "close" all of it is there.
  return { child, output: () => chunks.join(""), isClosed: () => closed };
}

async function untilHealthy(
  baseUrl: string,
  { isClosed, output }: Pick<Awaited<ReturnType<typeof startProcess>>, "isClosed" | "output">,
): Promise<void> {
  await until("The first answer of the server", async () => {
    if (isClosed()) throw new Error(`The server stopped: ${output()}`);
    const signal = AbortSignal.timeout(WATCHDOG_MS);
    const response = await fetch(`${baseUrl}/health`, { signal }).catch(() => undefined);
    return response?.ok || undefined;
  });
}

/** The Worker in workerd, on libSQL over HTTP, which answers after `latencyMs`. */
export function createWorkersRuntime({ latencyMs = 0 } = {}): SigninRuntime {
  return {
    name: "workers",
    database: "libsql",
    async boot(given = {}) {
      await using stack = new AsyncDisposableStack();
      const server = stack.use(await startFaultyLibsqlServer({}, latencyMs));
      const client = createClient(server);
      stack.defer(() => client.close());
      await migrate(client, migrations);
      const signin = stack.use(
        await bootWorker(await buildQuickWorker(), { server, client, given }),
      );
      const held = stack.move();
      return { ...signin, [Symbol.asyncDispose]: () => held.disposeAsync() };
    },
    refusal: (given) => refusalOfWorker({ DATABASE_URL: "http://127.0.0.1:9", ...given }),
  };
}

/** The same Worker on D1 as Miniflare has it: SQLite in workerd, not Cloudflare's service. */
export function createD1Runtime(build = buildQuickWorker): SigninRuntime {
  return {
    name: "workers",
    database: "d1",
    async boot(given = {}) {
      const port = Number(given.SIGNIN_PORT) || (await freePort());
      const bindings = signinVariables(port, given);
      const file = await build();
      await using stack = new AsyncDisposableStack();
      const worker = stack.use(await startWorker({ file, port, bindings, hasD1: true }));
      if (!worker.d1) throw new Error("The Worker has no D1 database.");
      const client = createD1Client(worker.d1);
      await migrate(client, migrations);
      const held = stack.move();
      return {
        baseUrl: worker.url,
        output: worker.output,
        sql: async (text, args = []) => (await client.execute({ sql: text, args })).rows,
        [Symbol.asyncDispose]: () => held.disposeAsync(),
      };
    },
    refusal: (given) => refusalOfWorker(given, { hasD1: true }),
  };
}

async function refusalOfWorker(
  given: Variables,
  options: { hasD1?: boolean } = {},
): Promise<string> {
  const bindings = signinVariables(await freePort(), given);
  try {
    await using worker = await startWorker({ file: await buildWorker(), bindings, ...options });
    throw new Error(`It was not refused: ${worker.output()}`);
  } catch (error) {
    if (error instanceof WorkerRefused) return error.message;
    throw error;
  }
}

interface WorkerPlace {
  server: Awaited<ReturnType<typeof startFaultyLibsqlServer>>;
  client: Client;
  given: Variables;
}

async function bootWorker(
  file: string,
  { server, client, given }: WorkerPlace,
  port?: number,
): Promise<RunningSignin> {
  const ownPort = Number(given.SIGNIN_PORT) || (await freePort());
  const variables = signinVariables(port ?? ownPort, {
    DATABASE_URL: server.url,
    DATABASE_AUTH_TOKEN: server.authToken,
    ...given,
  });
  const worker = await startWorker({ file, port: ownPort, bindings: variables });
  return {
    baseUrl: worker.url,
    output: worker.output,
    sql: async (text, args = []) => (await client.execute({ sql: text, args })).rows,
    failNext: server.failNext,
    bootSibling: () => bootWorker(file, { server, client, given }, port ?? ownPort),
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
