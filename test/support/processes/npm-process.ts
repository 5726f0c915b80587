import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { ROOT } from "../../house/sources.ts";
import { until } from "../until.ts";

/** A script of package.json, started by npm in a process group of its own, as a supervisor sees it. */
export interface NpmProcess {
  /** The process of npm itself. */
  pid: number;
  /** Resolves with all output once it holds the text. @throws where npm ends before that. */
  said(text: string): Promise<string>;
  /** Resolves when npm and all that it started are gone. */
  gone(): Promise<void>;
}

/** Starts `npm run SCRIPT`. */
export function startByNpm(script: string, env: Record<string, string>): NpmProcess {
  const child = spawn("npm", ["run", script], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const pid = child.pid ?? 0;
  const ended = once(child, "exit");
  // All output is there: that of what npm started, too.
  const closed = once(child, "close");
  let output = "";
  const said = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = (chunk = "") => {
        output += chunk;
        if (output.includes(text)) resolve(output);
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", look);
      }
      look();
      void closed.then(() => reject(new Error(`npm ended: ${output}`)));
    });
  return {
    pid,
    said,
    async gone() {
      await ended;
      try {
        await until("The end of all processes", () => groupOf(pid).length === 0 || undefined);
      } catch (cause) {
        const left = groupOf(pid);
        for (const { id } of left) process.kill(id, "SIGKILL");
        throw new Error(`Still there: ${left.map(({ name }) => name).join(", ")}`, { cause });
      }
    },
  };
}

/** The names of the processes of a group, without zombies. */
export function groupOf(group: number): { id: number; name: string }[] {
  return globSync("/proc/[0-9]*/stat").flatMap((file) => {
    try {
      const [, id, name = "", state, , of] =
        /^(\d+) \((.*)\) (\S) (\d+) (\d+)/s.exec(readFileSync(file, "utf8")) ?? [];
      return Number(of) === group && state !== "Z" ? { id: Number(id), name } : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}
