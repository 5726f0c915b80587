import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { randomToken } from "../random.ts";

const PRIVATE = 0o600;
const SUFFIX_BYTES = 6;

/**
 * Writes a private file atomically: after a crash or with a full disk the old one is complete. The file is on the disk when
 * this resolves. A link in its place is replaced, not followed.
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomToken(SUFFIX_BYTES)}.tmp`;
  try {
    await writeNew(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {
      // It may not exist. The first error is thrown.
    });
    throw error;
  }
  await syncDirectory(dirname(path));
}

async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  await using file = await open(path, "wx", PRIVATE);
  await file.writeFile(content);
  await file.sync();
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a folder: no further durability is possible there.
  if (process.platform === "win32") return;
  await using folder = await open(path, "r");
  await folder.sync();
}
