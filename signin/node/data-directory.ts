import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Environment } from "../../shared/env.ts";
import { StartRefused } from "../../shared/failure.ts";
import {
  defaultDataDirectory,
  type Machine,
  thisMachine,
} from "../../shared/node/data-directory.ts";
import { DirectoryRefused, makePrivateDirectory } from "../../shared/node/private-directory.ts";
import { acquireProcessLock } from "../../shared/node/process-lock.ts";
import { describeUnknownVariables } from "../../shared/unknown-variables.ts";

/** The files of one sign-in server, by name. */
export interface DataDirectory {
  path: string;
  database: string;
  lock: string;
  /** Process and address of the running server. */
  running: string;
  /** The generated secrets of development. */
  secrets: string;
}

// The files of a sign-in server: a folder with one of them is its own.
const MARKS = ["signin.db", "lock.db", "development-secrets.json"];
const PRIVATE_FILE = 0o600;
const ACCESS_OF_OTHERS = 0o077;

/** `SIGNIN_DATA_DIR`, else the platform's data directory + `/roundhouse-signin`. */
export function resolveDataDirectory(
  env: Environment,
  machine: Machine = thisMachine(),
): DataDirectory {
  const path =
    env.SIGNIN_DATA_DIR?.trim() || defaultDataDirectory("roundhouse-signin", env, machine);
  return {
    path,
    database: join(path, "signin.db"),
    lock: join(path, "lock.db"),
    running: join(path, "running.json"),
    secrets: join(path, "development-secrets.json"),
  };
}

const VARIABLES = ["SIGNIN_DATA_DIR", "SIGNIN_HOST", "SIGNIN_PORT", "SIGNIN_LOG_LEVEL"];

/** A sentence for each `SIGNIN_…` variable that the server does not know. */
export function listUnknownVariables(env: Environment): string[] {
  return describeUnknownVariables(env, "SIGNIN_", VARIABLES);
}

/**
 * Creates the directory where it is missing. It and its files are private, and so are later files of this process (umask).
 * @throws StartRefused
 */
export async function makeDataDirectory(directory: DataDirectory): Promise<void> {
  const { path } = directory;
  if (path.startsWith("~")) {
    throw new StartRefused("SIGNIN_DATA_DIR: begins with ~, which only a shell expands.");
  }
  try {
    await makePrivateDirectory(path, MARKS);
    await makeFilesPrivate(directory);
  } catch (error) {
    if (!(error instanceof DirectoryRefused)) throw error;
    throw new StartRefused(
      `SIGNIN_DATA_DIR: the data directory ${path} ${error.message}. Name a directory of its own.`,
      { cause: error },
    );
  }
}

/** Files stay private in a copy of the directory. SQLite gives the files beside the database the same mode. */
async function makeFilesPrivate({ database, lock }: DataDirectory): Promise<void> {
  process.umask(ACCESS_OF_OTHERS);
  const files = [database, lock].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
  for (const file of files) {
    // No descriptor is opened: closing one of the lock file would release this process's lock (POSIX).
    if (existsSync(file)) await chmod(file, PRIVATE_FILE);
  }
}

/**
 * Makes this the one process of the directory (Sign-in §8: exactly one replica), and writes there that it listens on `url`.
 * @throws StartRefused with the address of the other process
 */
export function holdDirectory(directory: DataDirectory, url: string): Disposable {
  using stack = new DisposableStack();
  if (stack.use(acquireProcessLock(directory.lock))) {
    stack.use(publishRunning(directory.running, { pid: process.pid, url }));
    return stack.move();
  }
  const other = readRunning(directory.running);
  const where = other ? `, at ${other.url} (process ${other.pid})` : "";
  throw new StartRefused(
    `Another sign-in server is already running on ${directory.path}${where}. The embedded storage allows only one.`,
  );
}

/** The information of a running server, for a second start. */
const RunningInfo = z.object({ pid: z.int().positive(), url: z.string() });
type RunningInfo = z.infer<typeof RunningInfo>;

/** Writes the file of the process that holds the directory; disposing removes it, and so does an end of the process meanwhile. */
function publishRunning(path: string, info: RunningInfo): Disposable {
  const remove = () => rmSync(path, { force: true });
  remove();
  writeFileSync(path, JSON.stringify(info), { mode: 0o600 });
  process.once("exit", remove);
  return {
    [Symbol.dispose]() {
      process.off("exit", remove);
      remove();
    },
  };
}

/** The running server; undefined if there is none, or if the file is of an ended process. */
function readRunning(path: string): RunningInfo | undefined {
  try {
    const info = RunningInfo.parse(JSON.parse(readFileSync(path, "utf8")));
    // Signal 0 only checks whether the process exists.
    return process.kill(info.pid, 0) ? info : undefined;
  } catch {
    return undefined;
  }
}
