import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LogSink } from "../../shared/node/logger.ts";
import { LOG_FILE_BYTES_MAX } from "../limits.ts";

const PRIVATE = 0o600;

/** `logs/engine.log` and its predecessor: at most twice the bound on the disk. */
export function openLogFile(directory: string): LogSink & Disposable {
  const path = join(directory, "engine.log");
  const previous = join(directory, "engine.1.log");
  let file = openSync(path, "a", PRIVATE);
  let sizeBytes = fstatSync(file).size;

  const rotate = () => {
    closeSync(file);
    renameSync(path, previous);
    file = openSync(path, "a", PRIVATE);
    sizeBytes = 0;
  };
  return {
    write(line) {
      try {
        if (sizeBytes > LOG_FILE_BYTES_MAX) rotate();
        sizeBytes += writeSync(file, line);
      } catch {
        // A full disk must not stop the engine; standard error has the line.
      }
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
