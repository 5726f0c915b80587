import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, link, open, rename, unlink } from "node:fs/promises";
import { toHex } from "../../shared/bytes.ts";
import { randomBytes } from "../../shared/random.ts";
import { refuseTaken } from "./directory.ts";
import { errorNumberName } from "./faults.ts";
import type { Folder } from "./folder.ts";

const CREATE_FLAGS =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const TEMPORARY_NAME_BYTES = 8;
const PERMISSION_BITS = 0o7777n;

/**
 * Puts a new file under a name that must be free. It appears whole or not at all, and never over another.
 * @throws EngineError `conflict` or `forbidden` where the name is taken.
 */
export async function putNewFile(folder: Folder, name: string, bytes: Uint8Array): Promise<void> {
  await withTemporary(folder, bytes, undefined, async (temporary) => {
    await folder.check();
    if (await linkTo(folder, temporary, name)) return;
    // A file system without hard links, such as FAT: exclusive all the same, but a crash can leave a part of it.
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

/** Writes bytes to a file beside its later place and removes what is left of it afterwards. */
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
    // After a rename it is not there any more.
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
    // Only the superuser can change the owner; otherwise the new file belongs to this account, as with most editors.
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => {});
  }
  await handle.chmod(Number(before.mode & PERMISSION_BITS));
}

async function openNew(folder: Folder, name: string): Promise<FileHandle> {
  try {
    return await open(`${folder.address}/${name}`, CREATE_FLAGS, 0o666);
  } catch (error) {
    if (errorNumberName(error) === "EEXIST") return refuseTaken(folder, name);
    throw error;
  }
}

async function linkTo(folder: Folder, from: string, to: string): Promise<boolean> {
  return linkNoReplace(folder, from, folder, to);
}

// What file systems and kernels say where they make no hard links, or not of this file.
const NO_HARD_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES"]);

/**
 * Gives a file a second name that must be free: the one way to name a file that never replaces another.
 * @returns false where the file system makes no hard links.
 * @throws EngineError `conflict` or `forbidden` where the name is taken.
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
    const reason = errorNumberName(error) ?? "";
    if (reason === "EEXIST") return refuseTaken(to, newName);
    if (NO_HARD_LINKS.has(reason)) return false;
    throw error;
  }
}

/**
 * Makes the new name of a file survive a power cut. Best effort: some file systems and Windows flush no folders, and a
 * folder that may not be read cannot be opened for it.
 */
async function flushFolder(folder: Folder): Promise<void> {
  try {
    await using handle = await open(folder.address, constants.O_RDONLY);
    await handle.sync();
  } catch {
    // The file itself is flushed; only how soon its name is durable depends on this.
  }
}
