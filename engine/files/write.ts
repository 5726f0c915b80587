import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, link, open, rename, unlink } from "node:fs/promises";
import { toHex } from "../../shared/bytes.ts";
import { randomBytes } from "../../shared/random.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import { refuseTaken } from "./directory.ts";
import type { Folder } from "./folder.ts";

const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const TEMPORARY_NAME_BYTES = 8;
const PERMISSION_BITS = 0o7777n;

/**
 * Creates a file under an unused name. It appears whole or not at all, and never replaces another.
 * @throws EngineError `conflict` or `forbidden` if the name is taken.
 */
export async function putNewFile(folder: Folder, name: string, bytes: Uint8Array): Promise<void> {
  await withTemporary(folder, bytes, undefined, async (temporary) => {
    await folder.check();
    if (await linkNoReplace(folder, temporary, folder, name)) return;
    // A file system without hard links, such as FAT: still exclusive, but a crash can leave a partial file.
    await using handle = await openNew(folder, name);
    await write(handle, bytes);
  });
  await flushFolder(folder);
}

/** Replaces a file and keeps its mode. A reader sees the complete old or the complete new file. */
export async function putInPlace(
  folder: Folder,
  name: string,
  bytes: Uint8Array,
  before: BigIntStats,
): Promise<void> {
  await withTemporary(folder, bytes, before, async (temporary) => {
    await folder.check();
    await rename(`${folder.address}/${temporary}`, `${folder.address}/${name}`);
  });
  await flushFolder(folder);
}

/** Writes bytes to a temporary file in the same folder, and removes its name afterwards. */
async function withTemporary(
  folder: Folder,
  bytes: Uint8Array,
  before: BigIntStats | undefined,
  use: (name: string) => Promise<void>,
): Promise<void> {
  const name = `.roundhouse-${toHex(randomBytes(TEMPORARY_NAME_BYTES))}.tmp`;
  const place = `${folder.address}/${name}`;
  const handle = await open(place, CREATE_FLAGS, before ? 0o600 : 0o666);
  try {
    try {
      await write(handle, bytes);
      if (before) await copyOwnerAndMode(handle, before);
    } finally {
      await handle.close();
    }
    await use(name);
  } finally {
    // After a rename it does not exist any more.
    await unlink(place).catch(() => {});
  }
}

async function write(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.writeFile(bytes);
  await handle.sync();
}

async function copyOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== before.uid || own.gid !== before.gid) {
    // Only the superuser can change the owner. Otherwise the file belongs to this account, as with most editors.
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {});
  }
  await handle.chmod(Number(before.mode & PERMISSION_BITS));
}

async function openNew(folder: Folder, name: string): Promise<FileHandle> {
  try {
    return await open(`${folder.address}/${name}`, CREATE_FLAGS, 0o666);
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return refuseTaken(folder, name);
    throw error;
  }
}

// The errors of file systems and kernels that cannot make a hard link, or not to this file.
const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES"]);

/**
 * Links a file to an unused name: the only operation that never replaces another file.
 * @returns false if the file system has no hard links.
 * @throws EngineError `conflict` or `forbidden` if the name is taken.
 */
export async function linkNoReplace(
  from: Folder,
  name: string,
  to: Folder,
  newName: string,
): Promise<boolean> {
  try {
    await link(`${from.address}/${name}`, `${to.address}/${newName}`);
    return true;
  } catch (error) {
    const reason = systemErrorCode(error);
    if (reason === "EEXIST") return refuseTaken(to, newName);
    if (NO_HARD_LINKS.has(reason)) return false;
    throw error;
  }
}

/**
 * Flushes a folder, so that a new name in it survives a power cut. Best effort: Windows and some file systems flush no
 * folders, and an unreadable folder cannot be opened.
 */
async function flushFolder(folder: Folder): Promise<void> {
  try {
    await using handle = await open(folder.address, constants.O_RDONLY);
    await handle.sync();
  } catch {
    // The file itself is flushed; only its name becomes durable later.
  }
}
