import type { Output } from "../../shared/cli/output.ts";
import type { Timers } from "../../shared/clock.ts";
import type { Environment } from "../../shared/env.ts";
import type { EngineClient } from "../client/client.ts";
import { connect, EngineNotRunning } from "../client/node.ts";
import type { EngineConfig } from "../config.ts";
import type { DataDirectory } from "../runtime/data-directory.ts";
import { type RuntimeInfo, readRuntimeFile } from "../runtime/runtime-file.ts";
import type { Terminal } from "./terminal.ts";

/** The dependencies of a command. */
export interface CommandContext {
  env: Environment;
  /** The folder that the command was called in. */
  folder: string;
  /** The program that starts the engine, and its arguments. */
  command: readonly string[];
  terminal: Terminal;
  /** Aborted by a signal that stops this process. */
  signal: AbortSignal;
  timers: Timers;
  /** Runs the engine until a stop signal. */
  start(): Promise<void>;
  /** Text, without what would move the cursor, or JSON under `--json`. */
  out(): Output;
  /** False under `--json`. */
  showsText(): boolean;
  /** Whether a person reads, and can be asked. */
  isInteractive(): boolean;
  /** Tells a person something; not under `--json`. */
  remark(text: string): void;
  /** Opens an address in the system's browser; false if there is none. */
  showInBrowser(url: string): Promise<boolean>;
  /** @throws BadConfiguration */
  config(): EngineConfig;
  /** The files of the engine, none of which may be there. @throws BadConfiguration */
  directory(): DataDirectory;
  /** The running engine. @throws EngineNotRunning */
  openEngine(): Promise<OpenEngine>;
}

/** The client of a running engine; its disposal ends what runs. */
export interface OpenEngine extends EngineClient, AsyncDisposable {
  runtime: RuntimeInfo;
}

/** The engine that runs on a data directory. @throws EngineNotRunning */
export async function openEngine(
  { path: dataDirectory, runtimeFile }: DataDirectory,
  signal: AbortSignal,
): Promise<OpenEngine> {
  const engine = await connect({ dataDirectory, signal });
  const runtime = await readRuntimeFile(runtimeFile);
  if (!runtime) throw new EngineNotRunning(runtimeFile);
  return Object.assign(engine, { runtime });
}
