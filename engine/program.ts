import type { Environment } from "../shared/env.ts";
import { describeForUser } from "../shared/failure.ts";
import { endAtSecondSignal, untilSignal } from "../shared/node/until-signal.ts";
import { listUnknownVariables, parseConfig } from "./config.ts";
import type { OnListening } from "./run.ts";

/** The Node program. A start loads no command line, and a command no engine. */
export async function runProgram(args: string[], env: Environment): Promise<void> {
  const start = async () => {
    const config = parseConfig(env);
    const { runEngine } = await import("./run.ts");
    await runEngine(config, listUnknownVariables(env), onListening());
  };
  if (args.length > 0) {
    const code = await runCommand(args, env, start);
    // A fault of a started engine has set it.
    if (code !== 0) process.exitCode = code;
    // A call that cannot be ended, such as that of a keychain, must not keep a finished command alive.
    process.exit();
  }
  try {
    await start();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeForUser(error)}\n`);
  }
}

/** On a terminal: what runs, and what to do next. It is loaded once the engine listens. */
function onListening(): OnListening | undefined {
  if (!process.stdout.isTTY || !process.stderr.isTTY) return undefined;
  return async (listening) => {
    const { showWelcome } = await import("./cli/welcome.ts");
    await showWelcome(listening, process);
  };
}

async function runCommand(
  args: string[],
  env: Environment,
  start: () => Promise<void>,
): Promise<number> {
  const [{ runCli }, { processTerminal }, { createProcessOutput }] = await Promise.all([
    import("./cli/run.ts"),
    import("./cli/terminal.ts"),
    import("../shared/cli/process-output.ts"),
  ]);
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort());
  // A start has its own.
  const isStart = args[0] === "start";
  using _second = isStart ? undefined : endAtSecondSignal();
  const output = createProcessOutput(process, () => stop.abort());
  const code = await runCli(args, {
    env,
    // npm changes to the package's folder, and passes the folder where it was called.
    folder: (env.npm_lifecycle_event && env.INIT_CWD) || process.cwd(),
    command: [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)],
    terminal: processTerminal(process, output),
    signal: stop.signal,
    start,
  });
  const written = await output.end(code);
  return isStart ? code : written;
}
