import { systemErrorCode } from "../../../shared/system-error.ts";
import { WATCHED_FOLDERS_MAX, WATCHED_ROOTS_MAX } from "../limits.ts";

export const UNREPORTED =
  "The folder is on a network or user-space file system, which does not report every change.";

/** Created when it is first needed: the first number with separators costs 20 ms and 6 MiB, and every start loads this file. */
export function describeTooManyFolders(): string {
  return `The watched roots have more than ${WATCHED_FOLDERS_MAX.toLocaleString("en")} folders together.`;
}

export const TOO_MANY_ROOTS = `More than ${WATCHED_ROOTS_MAX} roots are to be watched; this one is not.`;

export const WATCH_THREAD_LOST = "The thread that watched the folder ended.";

/** Why the system does not watch a folder, as a sentence. */
export function describeWatchFailure(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === "ENOSPC") {
    return "The system's limit of watched folders is reached (fs.inotify.max_user_watches).";
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return "The system's limit of watchers is reached (fs.inotify.max_user_instances).";
  }
  return `The system cannot watch the folder: ${code === "" ? "unknown failure" : code}.`;
}
