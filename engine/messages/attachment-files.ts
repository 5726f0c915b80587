import { rmSync } from "node:fs";
import { opendir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { toHex } from "../../shared/bytes.ts";
import type { Database } from "../../shared/database.ts";
import { makeFolder } from "../../shared/node/private-directory.ts";
import { writePrivateFile } from "../../shared/node/private-file.ts";
import { unlessMissing } from "../../shared/system-error.ts";
import type { EngineDeps } from "../deps.ts";
import { ATTACHMENT_FILES_PER_LOOK } from "../limits.ts";
import { dataDirectoryAt } from "../runtime/data-directory.ts";
import { listUnused } from "./attachment-store.ts";

/** Files that are stored, and stay until this is disposed: by then their message refers to them. */
interface HeldFiles extends Disposable {
  /** Of each file, in their order. */
  hashes: string[];
}

/** The bytes of attachments, each once: a private file below the data directory, whose name is the hash of its bytes. */
export class AttachmentFiles {
  readonly #db: Database;
  readonly #folder: string;
  /** The hashes of each holder, of which no message may have any yet. */
  readonly #held = new Set<readonly string[]>();

  constructor({ db, config }: Pick<EngineDeps, "db" | "config">) {
    this.#db = db;
    this.#folder = dataDirectoryAt(config.dataDirectory).attachments;
  }

  /** Stores what is not there already. The files are on the disk when this resolves. */
  async store(files: readonly Uint8Array[]): Promise<HeldFiles> {
    const hashes = await Promise.all(files.map(hashOf));
    // First: a file that is held is not removed.
    this.#held.add(hashes);
    const release = () => void this.#held.delete(hashes);
    try {
      if (files.length > 0) await makeFolder(this.#folder);
      for (const [at, hash] of hashes.entries()) {
        const path = join(this.#folder, hash);
        const bytes = files[at];
        if (bytes && !(await stat(path).catch(unlessMissing))?.isFile())
          await writePrivateFile(path, bytes);
      }
      return { hashes, [Symbol.dispose]: release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Undefined if the file is missing. */
  async read(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const file = await readFile(join(this.#folder, hash)).catch(unlessMissing);
    return file && new Uint8Array(file);
  }

  /** Removes the files that no message has, and what a crash left of others. */
  async removeUnused(): Promise<void> {
    let names: string[] = [];
    try {
      for await (const { name } of await opendir(this.#folder)) {
        names.push(name);
        if (names.length < ATTACHMENT_FILES_PER_LOOK) continue;
        await this.#removeUnusedOf(names);
        names = [];
      }
    } catch (error) {
      unlessMissing(error);
    }
    await this.#removeUnusedOf(names);
  }

  async #removeUnusedOf(names: readonly string[]): Promise<void> {
    await setImmediate();
    if (this.#db.$client.closed) return;
    // The name of an unfinished file is in no row, and begins with its hash.
    for (const name of await listUnused(this.#db, names)) {
      const [hash = ""] = name.split(".");
      // At once: a message that is stored meanwhile holds the file, or finds it missing and writes it.
      const isHeld = [...this.#held].some((hashes) => hashes.includes(hash));
      // It may be gone: an unfinished file gets its name meanwhile.
      if (!isHeld) rmSync(join(this.#folder, name), { force: true });
    }
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))));
}
