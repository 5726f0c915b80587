import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

const dataSync = promisify(fdatasync);

/**
 * Resolves once all commits of one database file so far survive a power cut. A thread of Node's pool waits for the disk: within a
 * commit the event loop would, for as long as the disk has other work. 300 ms were seen beside a checkpoint.
 */
export async function syncLog(database: string): Promise<void> {
  const file = openSync(`${database}-wal`, "r+");
  try {
    await dataSync(file);
  } finally {
    closeSync(file);
  }
}
