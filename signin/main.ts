import { describeForUser } from "../shared/failure.ts";
import { endAtSecondSignal, untilSignal } from "../shared/node/until-signal.ts";
import { STOP_WAIT_MS } from "./limits.ts";

// The Node program: env → config → open → listen → wait for a signal → stop. With arguments it runs one operator's command.
await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.length > 0) {
    process.exitCode = await runCommand(args);
    return;
  }
  try {
    await run();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${describeForUser(error)}\n`);
  }
}

/** The operator's commands. They are loaded on first use. */
async function runCommand(args: string[]): Promise<number> {
  const [{ runCli }, { createTerminal }, { createProcessOutput }] = await Promise.all([
    import("./cli/run.ts"),
    import("./cli/terminal.ts"),
    import("../shared/cli/process-output.ts"),
  ]);
  const stop = new AbortController();
  void untilSignal().then(() => stop.abort());
  const output = createProcessOutput(process, () => stop.abort());
  const code = await runCli(args, {
    env: process.env,
    write: output.write,
    writeError: output.writeError,
    signal: stop.signal,
    terminal: createTerminal({
      input: process.stdin,
      write: output.writeError,
      isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
      signal: stop.signal,
    }),
    folder: process.cwd(),
    fetch: globalThis.fetch,
  });
  return output.end(code);
}

async function run(): Promise<void> {
  const stopAsked = untilSignal();
  using starting = endAtSecondSignal();
  const [{ startServer }, { createSignin }] = await Promise.all([
    import("./node/run-server.ts"),
    import("./app.ts"),
  ]);
  await using server = await startServer(process.env, createSignin);
  const { log } = server;
  process.on("unhandledRejection", (error) => {
    log.error({ error }, "Unhandled promise rejection.");
  });
  starting[Symbol.dispose]();
  const reason = await stopAsked;
  log.info({ reason }, "The sign-in server is stopping.");
  // Also if a call to a provider or a password hash keeps the event loop alive.
  setTimeout(() => process.exit(), STOP_WAIT_MS).unref();
}
