import { join } from "node:path";
import { BadConfiguration, type Environment } from "../shared/env.ts";
import { MigrationRefused } from "../shared/migrate.ts";
import type { LoginOptions } from "./cli/login.ts";
import { type EngineConfig, parseConfig } from "./config.ts";
import { EngineError } from "./errors.ts";
import { runEngine } from "./run.ts";
import { readRuntimeFile } from "./runtime/runtime-file.ts";
import { StartRefused } from "./runtime/start-refused.ts";

// The Node program. Without arguments the engine starts; the command line is loaded only where there are some.
await main(process.argv.slice(2), process.env);

async function main(args: string[], env: Environment): Promise<void> {
  const start = () => runEngine(parseConfig(env));
  const login = (options: LoginOptions) => logIn(parseConfig(env), options);
  try {
    if (args.length === 0) return await start();
    const { createProgram } = await import("./cli/program.ts");
    await createProgram({ start, login }).parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${sentenceOf(error)}\n`);
  }
}

async function logIn(config: EngineConfig, options: LoginOptions): Promise<void> {
  const { runLogin } = await import("./cli/login.ts");
  const engine = await readRuntimeFile(join(config.dataDirectory, "runtime.json"));
  const say = (sentence: string) => process.stdout.write(`${sentence}\n`);
  await runLogin({ config, engine, options, say });
}

function sentenceOf(error: unknown): string {
  const known =
    error instanceof BadConfiguration ||
    error instanceof StartRefused ||
    error instanceof EngineError ||
    error instanceof MigrationRefused;
  if (known) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
