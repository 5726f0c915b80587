import type { Thread } from "../../../client/client.ts";

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Threads, the newest first, under the days of this machine; pinned ones stand first. */
export function groupThreads<Listed extends Pick<Thread, "uuid" | "updatedAt">>(
  threads: readonly Listed[],
  pins: readonly string[],
  nowMs: number,
): [title: string, threads: Listed[]][] {
  const isPinned = ({ uuid }: Listed) => pins.includes(uuid);
  const sorted = [...threads.filter(isPinned), ...threads.filter((it) => !isPinned(it))];
  const titleOf = (thread: Listed) =>
    isPinned(thread) ? "Pinned" : dayTitle(Date.parse(thread.updatedAt), nowMs);
  return [...Map.groupBy(sorted, titleOf)];
}

function dayTitle(atMs: number, nowMs: number): string {
  const days = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= WEEK_DAYS) return "Previous 7 days";
  return new Date(atMs).toLocaleString("en-GB", { month: "long", year: "numeric" });
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}
