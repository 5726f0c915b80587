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
  await using made = new AsyncDisposableStack();
  const opened = (file: string, mode: string): UnchangedDatabase => {
    const kept = made.move();
    const uri = `${pathToFileURL(file).href}?${mode}`;
    return { uri, sizeBytes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  };
  if (isInUse && (await sizeOf(`${path}-shm`)) !== undefined) return opened(path, "mode=ro");
  if (logBytes === 0) return opened(path, "immutable=1");
  if (sizeBytes + logBytes > DOCTOR_CHECK_BYTES_MAX)
    throw new RangeError(`${path} is too large to copy.`);
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-"));
  made.defer(() => rm(folder, { recursive: true, force: true }));
  const copy = join(folder, "copy.db");
  await copyFile(path, copy, constants.COPYFILE_FICLONE);
  await copyFile(`${path}-wal`, `${copy}-wal`);
  return opened(copy, "mode=rw");
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(unlessMissing);
  return found?.isFile() ? found.size : undefined;
}
