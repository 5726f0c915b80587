import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { unlessMissing } from "../../shared/system-error.ts";
import { LOG_FOLLOW_INTERVAL_MS, LOG_READ_BYTES } from "./limits.ts";

const LINE_FEED = 10;

/** How far a file was read. */
interface Mark {
  inode: number;
  size: number;
}

/** The last lines of a file, read from its end, and where they end; none if it does not exist. */
export async function readLastLines(
  path: string,
  count: number,
): Promise<{ lines: string[]; mark: Mark | undefined }> {
  const file = await open(path, "r").catch(unlessMissing);
  if (!file) return { lines: [], mark: undefined };
  await using _file = file;
  const mark = await identify(file);
  const pieces: Buffer[] = [];
  let feeds = 0;
  let position = mark.size;
  // The line before the first one that is shown ends with a line feed, and so does the last one.
  while (position > 0 && feeds <= count) {
    const length = Math.min(LOG_READ_BYTES, position);
    position -= length;
    const piece = await readAt(file, position, length);
    feeds += piece.filter((byte) => byte === LINE_FEED).length;
    pieces.unshift(piece);
  }
  const lines = Buffer.concat(pieces).toString("utf8").split("\n");
  return { lines: count > 0 ? lines.filter((line) => line !== "").slice(-count) : [], mark };
}

/** Whole lines that are appended after `mark`, also after another file took the name. Ends with the signal. */
export async function* followLines(
  path: string,
  mark: Mark | undefined,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  let seen = mark;
  let position = mark?.size ?? 0;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    await wait(LOG_FOLLOW_INTERVAL_MS, undefined, { signal }).catch(() => {
      // The loop ends.
    });
    const file = await open(path, "r").catch(unlessMissing);
    if (!file) continue;
    await using _file = file;
    const now = await identify(file);
    if (now.inode !== seen?.inode || now.size < position) {
      position = 0;
      rest = Buffer.alloc(0);
    }
    seen = now;
    while (position < now.size) {
      const piece = await readAt(file, position, Math.min(LOG_READ_BYTES, now.size - position));
      if (piece.length === 0) break;
      position += piece.length;
      const text = Buffer.concat([rest, piece]);
      const end = text.lastIndexOf(LINE_FEED) + 1;
      rest = text.subarray(end);
      const lines = text.subarray(0, end).toString("utf8").split("\n");
      yield lines.filter((line) => line !== "");
    }
  }
}

async function identify(file: FileHandle): Promise<Mark> {
  const { ino: inode, size } = await file.stat();
  return { inode, size };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
