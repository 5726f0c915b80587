import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** False where a program is installed, else the reason to skip a test that needs it. */
export function skipWithout(program: string, ...args: string[]): string | false {
  const { error } = spawnSync(program, args, { stdio: "ignore" });
  return error === undefined ? false : `${program} is not installed`;
}

/** A program in the foreground that ends with its test. */
export function startTool(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string,
) {
  const chunks: string[] = [];
  const child = spawn(program, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }
  return {
    child,
    output: () => chunks.join(""),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
