import { join } from "node:path";
import { StartRefused } from "../../shared/failure.ts";
import {
  DirectoryRefused,
  makeFolder,
  makePrivateDirectory,
} from "../../shared/node/private-directory.ts";

/** The files of one engine, by name (ARCHITECTURE.md, where state lives). */
export interface DataDirectory {
  path: string;
  database: string;
  lock: string;
  runtimeFile: string;
  keyFile: string;
  logs: string;
  /** The folder of the files that came with messages. */
  attachments: string;
}

// A folder with one of these files belongs to an engine.
const MARKS = ["engine.db", "lock.db"];

/**
 * Creates the data directory where it is missing, private to the owner.
 * @throws StartRefused if it cannot be created or made private, or has foreign content.
 */
export async function createDataDirectory(path: string): Promise<DataDirectory> {
  const directory = dataDirectoryAt(path);
  try {
    await makePrivateDirectory(path, MARKS);
    await makeFolder(directory.logs);
  } catch (error) {
    if (!(error instanceof DirectoryRefused)) throw error;
    throw new StartRefused(
      `The data directory ${path} ${error.message}. Set ENGINE_DATA_DIR to a directory of its own.`,
      { cause: error },
    );
  }
  return directory;
}

/** Whether a folder with these files belongs to an engine. */
export function isDataDirectory(names: readonly string[]): boolean {
  return MARKS.some((mark) => names.includes(mark));
}

/** The names of the files in a data directory. None needs to exist. */
export function dataDirectoryAt(path: string): DataDirectory {
  return {
    path,
    logs: join(path, "logs"),
    attachments: join(path, "attachments"),
    database: join(path, "engine.db"),
    lock: join(path, "lock.db"),
    runtimeFile: join(path, "runtime.json"),
    keyFile: join(path, "credentials.key"),
  };
}
