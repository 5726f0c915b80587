import { existsSync } from "node:fs";
import { chmod, mkdir, opendir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { systemErrorCode } from "../system-error.ts";

/** A data directory cannot be used. The message is the end of a sentence: "is not empty and holds no engine.db". */
export class DirectoryRefused extends Error {
  override name = "DirectoryRefused";
}

const PRIVATE = 0o700;
const ACCESS_OF_OTHERS = 0o077;

/**
 * Creates a folder if it is missing, and makes it private. A foreign folder is refused and not changed: one that others
 * can read, that is not empty, and that has none of `marks`, the program's own files.
 * @throws DirectoryRefused
 */
export async function makePrivateDirectory(path: string, marks: readonly string[]): Promise<void> {
  await makeFolder(path);
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) throw new DirectoryRefused("is not a folder");
    if ((stats.mode & ACCESS_OF_OTHERS) === 0) return;
    if (!(await isEmpty(path)) && !marks.some((name) => existsSync(join(path, name)))) {
      throw new DirectoryRefused(`is not empty and holds no ${marks[0]}`);
    }
    await chmod(path, PRIVATE);
  } catch (error) {
    throw toRefusal(error);
  }
}

/**
 * Creates a private folder, and those above it if they are missing. Each is tried once: Node's own `recursive` retries
 * forever on a file system that creates none.
 * @throws DirectoryRefused
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeMissing(resolve(path));
  } catch (error) {
    throw toRefusal(error);
  }
}

function toRefusal(error: unknown): DirectoryRefused {
  if (error instanceof DirectoryRefused) return error;
  return new DirectoryRefused(`cannot be used (${systemErrorCode(error)})`, { cause: error });
}

async function makeMissing(path: string): Promise<void> {
  if (existsSync(path)) return;
  if (dirname(path) !== path) await makeMissing(dirname(path));
  try {
    await mkdir(path, { mode: PRIVATE });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

async function isEmpty(path: string): Promise<boolean> {
  await using folder = await opendir(path);
  return (await folder.read()) === null;
}
