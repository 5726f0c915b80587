import type { Environment } from "../shared/env.ts";
import { describeForUser } from "../shared/failure.ts";
import { endAtSecondSignal, untilSignal } from "../shared/node/until-signal.ts";
import { listUnknownVariables, parseConfig } from "./config.ts";
import { runEngine } from "./run.ts";

// The Node program. Without arguments the engine starts, and the command line is not loaded.
await main(process.argv.slice(2), process.env);

async function main(args: string[], env: Environment): Promise<void> {
  const start = () => runEngine(parseConfig(env), listUnknownVariables(env));
  if (args.length > 0) {
    const code = await runCommand(args, env, start);
    // A fault of a started engine has set it.
    if (code !== 0) process.exitCode = code;
    return endWhenWritten();
  }
  try {
    await start();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeForUser(error)}\n`);
  }
}

async function runCommand(
  args: string[],
  env: Environment,
  start: () => Promise<void>,
): Promise<number> {
  const [{ runCli }, { processTerminal }] = await Promise.all([
    import("./cli/run.ts"),
    import("./cli/terminal.ts"),
  ]);
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort());
  // A start has its own.
  using _second = args[0] === "start" ? undefined : endAtSecondSignal();
  const terminal = processTerminal(process);
  return await runCli(args, { env, folder: process.cwd(), terminal, signal: stop.signal, start });
}

/** A call that cannot be ended, such as that of a keychain, must not keep a finished command alive. */
function endWhenWritten(): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit()));
}
