import { chmod, link, open, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { CommandFailed } from "../../shared/cli/output.ts";
import { randomToken } from "../../shared/random.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import { copyDatabase } from "./admin-store.ts";
import type { Target } from "./target.ts";

const PRIVATE = 0o600;
const NAME_BYTES = 6;

/**
 * Copies the embedded database into a new file, as of one moment, also while a server writes. The file gets its name when it is
 * complete, and never replaces another one.
 * @throws CommandFailed where there is no embedded file, or the new one cannot be made.
 */
export async function backUp({ db, filePath, place }: Target, to: string): Promise<string> {
  if (filePath === undefined) {
    throw new CommandFailed(`${place} is a server: use its own backups.`);
  }
  const path = resolve(to);
  const part = join(dirname(path), `.${basename(path)}.${randomToken(NAME_BYTES)}.part`);
  try {
    // Created first, and private from the beginning: SQLite accepts an empty file.
    await (await open(part, "wx", PRIVATE)).close();
    await copyDatabase(db, part);
    await chmod(part, PRIVATE);
    await syncFile(part);
    await link(part, path);
    await syncFile(dirname(path));
  } catch (error) {
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
