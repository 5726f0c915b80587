import { open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { unlessMissing } from "../../shared/system-error.ts";
import { LOG_FOLLOW_INTERVAL_MS } from "./limits.ts";

const LINE_FEED = 10;

/** How far a file was read. */
interface Mark {
  inode: number;
  size: number;
}

/** The last lines of a log, which is never large, and where they end; none if it does not exist. */
export async function readLastLines(
  path: string,
  count: number,
): Promise<{ lines: string[]; mark: Mark | undefined }> {
  const file = await open(path, "r").catch(unlessMissing);
  if (!file) return { lines: [], mark: undefined };
  await using _file = file;
  const { ino: inode } = await file.stat();
  const bytes = await file.readFile();
  const lines = count > 0 ? linesOf(bytes).slice(-count) : [];
  return { lines, mark: { inode, size: bytes.length } };
}

/** Whole lines that are appended after `mark`, also after another file took the name. Ends with the signal. */
export async function* followLines(
  path: string,
  mark: Mark | undefined,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  let seen = mark ?? { inode: undefined, size: 0 };
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    await wait(LOG_FOLLOW_INTERVAL_MS, undefined, { signal }).catch(() => {
      // The loop ends.
    });
    const file = await open(path, "r").catch(unlessMissing);
    if (!file) continue;
    await using _file = file;
    const { ino: inode, size } = await file.stat();
    if (inode !== seen.inode || size < seen.size) {
      seen = { inode, size: 0 };
      rest = Buffer.alloc(0);
    }
    const added = Buffer.alloc(size - seen.size);
    const { bytesRead } = await file.read(added, { position: seen.size });
    seen = { inode, size: seen.size + bytesRead };
    const text = Buffer.concat([rest, added.subarray(0, bytesRead)]);
    const end = text.lastIndexOf(LINE_FEED) + 1;
    rest = text.subarray(end);
    if (end > 0) yield linesOf(text.subarray(0, end));
  }
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}
