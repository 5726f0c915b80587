import { globSync, readFileSync } from "node:fs";

/** The processes of a group that run, where the system lists processes as files; elsewhere none. */
export function processesOf(group: number): { id: number; name: string }[] {
  return globSync("/proc/[0-9]*/stat").flatMap((path) => {
    try {
      const stat = readFileSync(path, "utf8");
      const [, id, name = "", state, of] = /^(\d+) \((.*)\) (\S) \d+ (\d+)/s.exec(stat) ?? [];
      // A zombie has ended.
      return Number(of) === group && state !== "Z" ? { id: Number(id), name } : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
