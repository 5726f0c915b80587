import type { Thread } from "../../../client/client.ts";

type Listed = Pick<Thread, "uuid" | "updatedAt">;

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Threads, the newest first, under the days of this machine; pinned ones stand first. */
export function groupThreads<T extends Listed>(
  threads: readonly T[],
  pins: readonly string[],
  nowMs: number,
): (readonly [title: string, threads: T[]])[] {
  const groups = new Map<string, T[]>();
  const isPinned = ({ uuid }: T) => pins.includes(uuid);
  for (const thread of [...threads.filter(isPinned), ...threads.filter((it) => !isPinned(it))]) {
    const title = isPinned(thread) ? "Pinned" : dayTitle(Date.parse(thread.updatedAt), nowMs);
    groups.set(title, [...(groups.get(title) ?? []), thread]);
  }
  return [...groups];
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
