import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Client } from "@libsql/client";
import { startLibsqlServer } from "../../../dev/libsql-server/libsql-server.ts";
import { fromBase64Url } from "../../../shared/bytes.ts";
import { createDatabase, type Database } from "../../../shared/database.ts";
import type { Environment } from "../../../shared/env.ts";
import { migrate } from "../../../shared/migrate.ts";
import { type EmbeddedClient, openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { randomToken } from "../../../shared/random.ts";
import { createSealedBox } from "../../../shared/sealed-box.ts";
import type { CliParts } from "../../../signin/cli/context.ts";
import { runCli } from "../../../signin/cli/run.ts";
import type { Terminal } from "../../../signin/cli/terminal.ts";
import type { Wrangler } from "../../../signin/cli/wrangler.ts";
import { apiKeyContext } from "../../../signin/connections/api-keys.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { type CliResult, recordOutput, runCliProcess } from "../processes.ts";
import { pause } from "../time.ts";
import { buildSignin } from "./program.ts";

/** A database that commands work on, with the variables that lead them there. */
export interface CliDatabase extends AsyncDisposable {
  env: Environment;
  /** The file that both kinds have in the end. */
  path: string;
  /** Looks into the file past the commands. */
  db: Database;
}

export const CLI_KEYS = {
  old: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  new: "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA",
};

/** A terminal that is none, whose standard input has ended. */
export const noTerminal: Terminal = {
  isInteractive: false,
  ask: () => assert.fail("Without a terminal nothing is asked."),
  askSecret: () => assert.fail("Without a terminal nothing is asked."),
  readInput: async () => "",
};

/** Names the D1 database of a test, for all its commands. */
const D1 = "TEST_D1";
const d1Databases = new Map<string, Client>();

/**
 * How tests look into embedded databases, by their folders. A command closes the look: the last connection removes the write-ahead
 * log, and one that does not would collect all garbage of the tests in vain.
 */
const looks = new Map<string, EmbeddedClient>();

/** Runs a command in this process. */
export async function cli(
  env: Environment,
  args: string[],
  parts: Partial<CliParts> = {},
): Promise<CliResult> {
  const output = recordOutput();
  const d1 = d1Databases.get(env[D1] ?? "");
  looks.get(env.SIGNIN_DATA_DIR ?? "")?.close();
  const code = await runCli(d1 ? [...args, "--d1", "signin-db"] : args, {
    env,
    write: output.write,
    writeError: output.writeError,
    signal: new AbortController().signal,
    terminal: noTerminal,
    folder: process.cwd(),
    fetch: globalThis.fetch,
    wrangler: d1 && createLocalWrangler(d1, parts.signal),
    ...parts,
  });
  return output.result(code, args);
}

/** Runs a command as its own process, as an operator does. */
export async function cliProcess(
  env: Environment,
  args: string[],
  options: { input?: string; cwd?: string } = {},
): Promise<CliResult> {
  return runCliProcess([await buildSignin()], args, { env, ...options });
}

/** A new folder for an embedded database; nothing is in it. */
export async function openEmbeddedFolder(): Promise<CliDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-cli-"));
  const path = join(folder, "signin.db");
  const look = () => {
    const kept = looks.get(folder);
    if (kept?.closed === false) return kept;
    const client = openEmbeddedClient({ path, pragmas: ["journal_mode=WAL"] });
    looks.set(folder, client);
    return client;
  };
  look();
  return {
    env: { APP_ENV: "development", SIGNIN_DATA_DIR: folder, TOKEN_ENCRYPTION_KEY: CLI_KEYS.old },
    path,
    get db() {
      return createDatabase(look());
    },
    async [Symbol.asyncDispose]() {
      looks.get(folder)?.close();
      looks.delete(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A D1 database behind wrangler's answers. What starts wrangler is test/signin/cli/migrate-d1.test.ts, and the tests of its setup. */
export async function openD1Database(): Promise<CliDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-d1-"));
  const path = join(folder, "d1.db");
  const client = openEmbeddedClient({ path, pragmas: ["busy_timeout=10000"] });
  d1Databases.set(folder, client);
  return {
    env: { [D1]: folder, TOKEN_ENCRYPTION_KEY: CLI_KEYS.old },
    path,
    db: createDatabase(client),
    async [Symbol.asyncDispose]() {
      d1Databases.delete(folder);
      await client[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `wrangler d1 execute` in this process: a start of a program takes longer than most commands. */
function createLocalWrangler(client: Client, signal?: AbortSignal): Wrangler {
  return {
    async run(args) {
      signal?.throwIfAborted();
      const statements = args[args.indexOf("--command") + 1]?.split(";\n") ?? [];
      try {
        const results = await client.batch(statements, "write");
        const named = results.map(({ rows, columns }) => ({
          results: rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))),
        }));
        return { code: 0, out: JSON.stringify(named), error: "" };
      } catch (error) {
        return { code: 1, out: "", error: `✘ [ERROR] ${String(error)}` };
      }
    },
  };
}

/** The same behind a libSQL server, which answers after `latencyMs`; the commands know its address alone. */
export async function openServerDatabase({ latencyMs = 0 } = {}): Promise<CliDatabase> {
  const embedded = await openEmbeddedFolder();
  const authToken = randomToken();
  const server = await startLibsqlServer({
    ...{ path: embedded.path, authToken },
    around: async (_pipeline, run) => {
      if (latencyMs > 0) await pause(latencyMs);
      return run();
    },
  });
  return {
    ...embedded,
    env: {
      DATABASE_URL: server.url,
      DATABASE_AUTH_TOKEN: authToken,
      SIGNIN_DATA_DIR: join(dirname(embedded.path), "nowhere"),
      TOKEN_ENCRYPTION_KEY: CLI_KEYS.old,
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await embedded[Symbol.asyncDispose]();
    },
  };
}

/** A time that no test reaches, in seconds. */
const FAR = 4_000_000_000;

/** Inserts a user. */
export async function insertUser({ db }: CliDatabase, id: string, email: string): Promise<void> {
  await db.$client.execute({
    sql: "INSERT INTO users (id, email, email_norm, display_name, password_hash, created_at, updated_at) VALUES (?, ?, ?, 'Name', 'secret-hash', 1767323045, 1)",
    args: [id, email, email.toLowerCase()],
  });
}

/** Inserts a session. */
export async function insertSession(
  { db }: CliDatabase,
  id: string,
  userId: string,
): Promise<void> {
  await db.$client.execute({
    sql: `INSERT INTO sessions (id, user_id, kind, counter, rotated_at, created_at, last_seen_at, idle_expires_at, expires_at)
          VALUES (?, ?, 'native', 0, 1, 1, 1, ${FAR}, ${FAR})`,
    args: [id, userId],
  });
}

/** A box with these keys; the first one seals. */
export function boxOf(...keys: string[]) {
  return createSealedBox(keys.map((key) => fromBase64Url(key) ?? assert.fail()));
}

/** Inserts API keys, sealed with one key. */
export async function insertKeys(database: CliDatabase, count: number, key = CLI_KEYS.old) {
  const box = await boxOf(key);
  await insertUser(database, "user", "ann@example.test");
  for (let at = 0; at < count; at += 1) {
    const provider = `provider-${String(at).padStart(4, "0")}`;
    const sealed = await box.seal(`sk-canary-${at}`, apiKeyContext("user", provider));
    await database.db.$client.execute({
      sql: "INSERT INTO api_keys (user_id, provider, ciphertext, key_id, hint, connected_at) VALUES ('user', ?, ?, ?, '****', 1)",
      args: [provider, sealed, box.keyId],
    });
  }
}

/** Each kind of database, and how a test opens one. */
export const KINDS = [
  ["the embedded database", openEmbeddedFolder],
  ["a libSQL server", openServerDatabase],
  ["D1", openD1Database],
] as const;

/** Such a database, up to date. Its file is migrated past the command, which would start wrangler for each step. */
export async function openMigrated(open: () => Promise<CliDatabase>): Promise<CliDatabase> {
  const database = await open();
  await migrate(database.db.$client, migrations);
  return database;
}
