import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { CommandFailed } from "../../shared/cli/output.ts";
import { describeForUser } from "../../shared/failure.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import { EngineNotRunning } from "../client/errors.ts";
import { findRunning } from "../client/node-endpoint.ts";
import type { CommandContext } from "./context.ts";
import { STOP_COMMAND_WAIT_MS, STOP_LOOK_INTERVAL_MS } from "./limits.ts";

/** `start`, `status`, `stop`. */
export function addEngineCommands(program: Command, context: CommandContext): void {
  program
    .command("start")
    .description("Start the engine, and serve until a signal stops it (SIGINT, SIGTERM, SIGHUP).")
    .action(() => context.start().catch(failStart));
  program
    .command("status")
    .description(
      "Show the engine's address and its turns. Exits with 1 if the engine is not running.",
    )
    .action(() => runStatus(context));
  program
    .command("stop")
    .description("Stop the engine cleanly. Exits with 1 if it is not running.")
    .action(() => runStop(context));
}

function failStart(cause: unknown): never {
  throw new CommandFailed(describeForUser(cause), { cause });
}

async function runStatus(context: CommandContext): Promise<void> {
  const out = context.out();
  const { path } = context.directory();
  try {
    await using engine = await context.openEngine();
    const { runtime } = engine;
    const [running, waiting] = await Promise.all([
      engine.turns.list({ state: "running" }, context),
      engine.turns.list({ state: "waiting" }, context),
    ]);
    const { version, pid, startedAt } = runtime;
    const address = `http://${runtime.host}:${runtime.port}`;
    const facts = {
      running: true,
      version,
      address,
      process: pid,
      data_directory: path,
      started: startedAt,
      turns_running: running.length,
      turns_waiting: waiting.length,
    };
    const since = new Date(startedAt).toLocaleString("en-GB");
    out.entry(
      facts,
      `The engine runs at ${address}, since ${since}.
  Version  ${version}, process ${pid}
  Data     ${path}
  Turns    ${running.length} running, ${waiting.length} waiting for approval`,
    );
  } catch (error) {
    const facts = { running: false, data_directory: path };
    if (error instanceof EngineNotRunning) out.entry(facts, `Data: ${path}`);
    throw error;
  }
}

async function runStop(context: CommandContext): Promise<void> {
  await using engine = await context.openEngine();
  const { pid } = engine.runtime;
  requireSignalled(pid);
  const { runtimeFile } = context.directory();
  const latest = performance.now() + STOP_COMMAND_WAIT_MS;
  while ((await findRunning(runtimeFile))?.pid === pid) {
    if (performance.now() > latest) {
      throw new CommandFailed(`The engine has not stopped yet (process ${pid}).`);
    }
    await wait(STOP_LOOK_INTERVAL_MS, undefined, { signal: context.signal });
  }
  context.out().entry({ stopped: pid }, `The engine has stopped (process ${pid}).`);
}

/** The engine has just answered with the token of its file, so the process is the engine's. */
function requireSignalled(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // It ended by itself meanwhile.
    if (systemErrorCode(error) === "ESRCH") return;
    const reason = systemErrorCode(error);
    throw new CommandFailed(`You cannot stop the engine (process ${pid}): ${reason}.`);
  }
}
