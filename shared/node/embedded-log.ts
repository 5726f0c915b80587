import { type FileHandle, open } from "node:fs/promises";

/**
 * Waits for the disk to have the write-ahead log of one database file, in a thread of Node's pool. Within a commit the event
 * loop would wait, for as long as the disk has other work: 300 ms were seen beside a checkpoint.
 */
export class EmbeddedLog {
  readonly #path: string;
  #file: Promise<FileHandle> | undefined;

  constructor(path: string) {
    this.#path = `${path}-wal`;
  }

  /** Resolves once all commits so far survive a power cut. @throws the error of the system */
  async sync(): Promise<void> {
    this.#file ??= open(this.#path, "r+");
    try {
      const file = await this.#file;
      await file.datasync();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The next sync opens the log again: it may be another file, as SQLite removes it with its last connection. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    // A sync that runs ends before. What was never opened, or fails to close, holds nothing.
    file?.then((opened) => opened.close()).catch(() => {});
  }
}
