import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, StartRefused } from "./start-refused.ts";

/** The files of one engine, by name (ARCHITECTURE.md, where state lives). */
export interface DataDirectory {
  path: string;
  database: string;
  lock: string;
  runtimeFile: string;
  keyFile: string;
  logs: string;
}

const PRIVATE = 0o700;
const ACCESS_OF_OTHERS = 0o077;

/**
 * Makes the data directory where it is missing; it is the owner's alone.
 * @throws StartRefused where it cannot be made or made private.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const logs = join(path, "logs");
  try {
    await mkdir(path, { recursive: true, mode: PRIVATE });
    const { mode } = await stat(path);
    if ((mode & ACCESS_OF_OTHERS) !== 0) await chmod(path, PRIVATE);
    await mkdir(logs, { recursive: true, mode: PRIVATE });
  } catch (error) {
    throw new StartRefused(
      `The data directory ${path} cannot be used (${codeOf(error)}). Set ENGINE_DATA_DIR to a directory that you own.`,
      { cause: error },
    );
  }
  return {
    path,
    logs,
    database: join(path, "engine.db"),
    lock: join(path, "lock.db"),
    runtimeFile: join(path, "runtime.json"),
    keyFile: join(path, "credentials.key"),
  };
}
