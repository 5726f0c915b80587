import { chmod, mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../shared/env.ts";
import { acquireProcessLock, type ProcessLock } from "../../shared/node/process-lock.ts";

/** The files of one sign-in server, by name. */
export interface DataDirectory {
  path: string;
  database: string;
  lock: string;
  /** What development generated because nobody configured it. */
  secrets: string;
}

/** A start that cannot be. Its message is one sentence for the person who started it. */
export class StartRefused extends Error {
  override name = "StartRefused";
}

const PRIVATE = 0o700;
const ACCESS_OF_OTHERS = 0o077;

/** `SIGNIN_DATA_DIR`, else the platform's data directory + `/roundhouse-signin`. */
export function findDataDirectory(env: Environment, platform = process.platform): DataDirectory {
  const path = env.SIGNIN_DATA_DIR?.trim() || defaultPath(env, platform);
  return {
    path,
    database: join(path, "signin.db"),
    lock: join(path, "lock.db"),
    secrets: join(path, "development-secrets.json"),
  };
}

function defaultPath(env: Environment, platform: NodeJS.Platform): string {
  const home = homedir();
  if (platform === "darwin")
    return join(home, "Library", "Application Support", "roundhouse-signin");
  if (platform === "win32") {
    return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "roundhouse-signin");
  }
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "roundhouse-signin");
}

/** Makes the directory where it is missing; it is the owner's alone. @throws StartRefused */
export async function openDataDirectory(directory: DataDirectory): Promise<void> {
  const { path } = directory;
  try {
    await mkdir(path, { recursive: true, mode: PRIVATE });
    const { mode } = await stat(path);
    if ((mode & ACCESS_OF_OTHERS) !== 0) await chmod(path, PRIVATE);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new StartRefused(
      `SIGNIN_DATA_DIR: the data directory ${path} cannot be used (${code}). Name one that you own.`,
      { cause: error },
    );
  }
}

/** Makes this the one process of the directory (Sign-in §8: exactly one replica). @throws StartRefused */
export function holdDirectory(directory: DataDirectory): ProcessLock {
  let lock: ProcessLock | undefined;
  try {
    lock = acquireProcessLock(directory.lock);
  } catch (error) {
    throw new StartRefused(`The lock file ${directory.lock} cannot be used.`, { cause: error });
  }
  if (lock) return lock;
  throw new StartRefused(
    `Another sign-in server runs on ${directory.path} already. The embedded storage allows exactly one.`,
  );
}
