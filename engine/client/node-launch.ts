import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemErrorCode } from "../../shared/system-error.ts";
import { EngineNotRunning } from "./errors.ts";
import {
  LAUNCH_LOOK_INTERVAL_MS,
  LAUNCH_OUTPUT_CHARS_MAX,
  LAUNCH_WAIT_MS,
  STOP_WAIT_MS,
} from "./limits.ts";
import { noEngine, type Running } from "./node-endpoint.ts";

interface Launch {
  /** The program and its arguments. */
  command: readonly string[] | undefined;
  env: NodeJS.ProcessEnv;
  /** `runtime.json`, for the error. */
  file: string;
  /** The engine, once it answers. */
  find(): Promise<Running | undefined>;
  signal: AbortSignal | undefined;
}

const INSTALL =
  "Install Roundhouse so that `roundhouse` is on PATH, or pass the program as `command`.";

// The message of an engine that the instance lock refuses.
const REFUSED_AS_SECOND = "Another engine is already running on";

/**
 * Launches an engine and waits until one answers. It stays when this process ends, unless it is stopped by `stop`.
 * @throws EngineNotRunning with what it said if it ended before.
 */
export async function launchEngine(launch: Launch) {
  const [program = "", ...args] = launch.command ?? defaultCommand();
  const child = spawn(program, args, {
    env: launch.env,
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = keepOutput(child);
  const failed = once(child, "error").then(([error]) => error as Error);
  const stop = () => stopChild(child);
  try {
    const running = await Promise.race([untilFound(child, launch, said), failed]);
    if (!(running instanceof Error)) return { running, stop };
    const reason =
      systemErrorCode(running) === "ENOENT" ? `\`${program}\` is not there. ${INSTALL}` : "";
    throw noEngine(launch.file, reason || running.message, running);
  } catch (error) {
    await stop();
    if (error instanceof EngineNotRunning || launch.signal?.aborted) throw error;
    throw noEngine(launch.file, said() || String(error), error);
  }
}

/** The engine beside the client, in the tree; elsewhere the command that an installation has. */
function defaultCommand(): readonly string[] {
  const start = fileURLToPath(new URL("../start.mjs", import.meta.url));
  return existsSync(start) ? [process.execPath, start] : ["roundhouse", "start"];
}

async function untilFound(
  child: ChildProcess,
  { find, signal }: Launch,
  said: () => string,
): Promise<Running> {
  const latest = performance.now() + LAUNCH_WAIT_MS;
  // Closed, rather than ended: all that it said has been read.
  let isClosed = false;
  child.once("close", () => {
    isClosed = true;
  });
  while (performance.now() < latest) {
    signal?.throwIfAborted();
    // Checked first: another engine may be running by now.
    const hasEnded = isClosed;
    const running = await find();
    if (running) return running;
    // Another engine was faster, and responds soon.
    const isRefused = said().includes(REFUSED_AS_SECOND);
    if (hasEnded && !isRefused)
      throw new Error(`It ended with ${child.exitCode ?? child.signalCode}.`);
    await wait(LAUNCH_LOOK_INTERVAL_MS, undefined, { signal });
  }
  throw new Error(`It did not respond within ${LAUNCH_WAIT_MS / 1000} s.`);
}

/** Reads standard error as long as this process runs, which it does not keep running. Returns what was said at first. */
function keepOutput(child: ChildProcess): () => string {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (said.length < LAUNCH_OUTPUT_CHARS_MAX) said += text;
  });
  if (child.stderr instanceof Socket) child.stderr.unref();
  child.unref();
  return () => said.slice(0, LAUNCH_OUTPUT_CHARS_MAX).trim();
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_WAIT_MS);
  await ended;
  clearTimeout(timer);
}
