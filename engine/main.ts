import { join } from "node:path";
import type { Environment } from "../shared/env.ts";
import { describeForUser } from "../shared/failure.ts";
import type { LoginOptions } from "./cli/login.ts";
import { type EngineConfig, listUnknownVariables, parseConfig } from "./config.ts";
import { runEngine } from "./run.ts";
import { readRuntimeFile } from "./runtime/runtime-file.ts";

// The Node program. Without arguments the engine starts, and the command line is not loaded.
await main(process.argv.slice(2), process.env);

async function main(args: string[], env: Environment): Promise<void> {
  const start = () => runEngine(parseConfig(env), listUnknownVariables(env));
  const login = (options: LoginOptions) => logIn(parseConfig(env), options);
  try {
    if (args.length === 0) return await start();
    const { createProgram } = await import("./cli/program.ts");
    await createProgram({ start, login }).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeForUser(error)}\n`);
  }
}

async function logIn(config: EngineConfig, options: LoginOptions): Promise<void> {
  const { runLogin } = await import("./cli/login.ts");
  const engine = await readRuntimeFile(join(config.dataDirectory, "runtime.json"));
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  await runLogin({ config, engine, options, say });
}
