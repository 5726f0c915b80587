import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fromBase64Url, toBase64Url } from "../../shared/bytes.ts";
import { systemErrorCode } from "../../shared/system-error.ts";

const PRIVATE = 0o600;
const KEY_BYTES = 32;
const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_WRONLY } = constants;

/** The data key of `credentials.key`, or undefined if the file does not exist. @throws if it is unreadable. */
export async function readKeyFile(path: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path, O_RDONLY | O_NOFOLLOW);
    const key = fromBase64Url((await file.readFile("utf8")).trim());
    if (key?.length !== KEY_BYTES) throw new Error(`${path} does not hold a key.`);
    return key;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes and flushes a new key. @throws if the file already exists, or cannot be created. */
export async function writeKeyFile(path: string, key: Uint8Array): Promise<void> {
  await using file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, PRIVATE);
  await file.writeFile(`${toBase64Url(key)}\n`);
  await file.sync();
}
