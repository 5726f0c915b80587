import { fdatasync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";

// Not `FileHandle.datasync`: that takes a quarter longer, and each answer to a write waits for it.
const dataSync = promisify(fdatasync);

/**
 * Waits for the disk to have the write-ahead log of one database file, in a thread of Node's pool. Within a commit the event
 * loop would wait, for as long as the disk has other work: 300 ms were seen beside a checkpoint.
 */
export class EmbeddedLog {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;
  #synced: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** Resolves once all commits so far survive a power cut. One at a time. @throws the error of the system */
  async sync(): Promise<void> {
    this.#file ??= open(this.#path, "r+");
    this.#synced = this.#file.then(({ fd }) => dataSync(fd));
    try {
      await this.#synced;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The next sync opens the log again: it may be another file, as SQLite removes it with its last connection. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    void closeAfter(this.#synced, file);
  }
}

/** A sync that runs ends before: a closed number may be that of another file. */
async function closeAfter(
  synced: Promise<void>,
  file: Promise<FileHandle> | undefined,
): Promise<void> {
  await synced.catch(() => {});
  // A file that was never opened, or fails to close, holds nothing.
  await file?.then((opened) => opened.close()).catch(() => {});
}
