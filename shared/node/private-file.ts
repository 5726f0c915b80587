import { chmod, link, open, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CommandFailed } from "../cli/output.ts";
import { randomToken } from "../random.ts";
import { systemErrorCode } from "../system-error.ts";

const PRIVATE = 0o600;
const SUFFIX_BYTES = 6;

/**
 * Writes a private file atomically: after a crash or with a full disk the old one is complete. The file is on the disk when
 * this resolves. A link in its place is replaced, not followed.
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomToken(SUFFIX_BYTES)}.tmp`;
  try {
    await writeFile(temporary, content, { flag: "wx", mode: PRIVATE, flush: true });
    await rename(temporary, path);
  } catch (error) {
    // It may not exist. The first error is thrown.
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await syncFile(dirname(path));
}

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
  const part = join(dirname(path), `.${basename(path)}.${randomToken(SUFFIX_BYTES)}.part`);
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
  // Windows flushes neither a folder nor a file that is open for reading.
  if (process.platform === "win32") return;
  await using file = await open(path, "r");
  await file.sync();
}

function reasonOf(error: unknown, path: string): string {
  const code = systemErrorCode(error) || "unknown";
  if (code === "EEXIST") return `${path} already exists. Choose another name.`;
  if (code === "ENOENT") return `${dirname(path)} does not exist.`;
  return `${path} cannot be written (${code}).`;
}
