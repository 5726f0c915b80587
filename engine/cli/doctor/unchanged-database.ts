import { constants, copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unlessMissing } from "../../../shared/system-error.ts";
import { DOCTOR_CHECK_BYTES_MAX } from "../limits.ts";

/** An address by which SQLite reads a database, without changing or creating any file beside it. */
interface UnchangedDatabase extends AsyncDisposable {
  /** A URI file name. */
  uri: string;
  sizeBytes: number;
}

/**
 * How to read a database file unchanged; undefined if it does not exist. One that a process has open is read beside it. One
 * that a crash left with a write-ahead log is copied, as SQLite would write the log into it.
 * @throws RangeError if a copy would be too large
 */
export async function openUnchanged(
  path: string,
  isInUse: boolean,
): Promise<UnchangedDatabase | undefined> {
  const sizeBytes = await sizeOf(path);
  if (sizeBytes === undefined) return undefined;
  const logBytes = (await sizeOf(`${path}-wal`)) ?? 0;
  const nothing = async () => {};
  if (isInUse && (await sizeOf(`${path}-shm`)) !== undefined) {
    return { uri: toUri(path, "mode=ro"), sizeBytes, [Symbol.asyncDispose]: nothing };
  }
  if (logBytes === 0) {
    return { uri: toUri(path, "immutable=1"), sizeBytes, [Symbol.asyncDispose]: nothing };
  }
  if (sizeBytes + logBytes > DOCTOR_CHECK_BYTES_MAX)
    throw new RangeError(`${path} is too large to copy.`);
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    await copyFile(path, copy, constants.COPYFILE_FICLONE);
    await copyFile(`${path}-wal`, `${copy}-wal`);
    return { uri: toUri(copy, "mode=rw"), sizeBytes, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function toUri(path: string, mode: string): string {
  return `${pathToFileURL(path).href}?${mode}`;
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(unlessMissing);
  return found?.isFile() ? found.size : undefined;
}
