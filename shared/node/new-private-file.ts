import { chmod, link, open, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CommandFailed } from "../cli/output.ts";
import { randomToken } from "../random.ts";
import { systemErrorCode } from "../system-error.ts";

const PRIVATE = 0o600;
const NAME_BYTES = 6;

/**
 * Writes a new file that its owner alone can read. `write` fills an empty file beside it, which gets the name when it is complete
 * and on the disk. It never replaces another file, and a failure leaves nothing.
 * @throws CommandFailed if the file exists, or the system refuses it; a CommandFailed of `write` unchanged
 */
export async function makePrivateFile(
  to: string,
  write: (part: string) => Promise<void>,
): Promise<string> {
  const path = resolve(to);
  const part = join(dirname(path), `.${basename(path)}.${randomToken(NAME_BYTES)}.part`);
  try {
    // Private from the beginning: SQLite accepts an empty file.
    await (await open(part, "wx", PRIVATE)).close();
    await write(part);
    await chmod(part, PRIVATE);
    await syncFile(part);
    await link(part, path);
    await syncFile(dirname(path));
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(reasonOf(error, path), { cause: error });
  } finally {
    await rm(part, { force: true });
  }
  return path;
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } catch (error) {
    // Windows cannot flush a folder.
    if (process.platform !== "win32") throw error;
  } finally {
    await file.close();
  }
}

function reasonOf(error: unknown, path: string): string {
  const code = systemErrorCode(error) || "unknown";
  if (code === "EEXIST") return `${path} exists already. Choose another name.`;
  if (code === "ENOENT") return `${dirname(path)} does not exist.`;
  return `${path} cannot be written (${code}).`;
}
