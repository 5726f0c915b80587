import { join } from "node:path";
import { defaultDataDirectory, thisMachine } from "../../shared/node/data-directory.ts";
import { clientOf, type EngineClient } from "./client.ts";
import type { Transport } from "./connection.ts";
import { RECONNECT_MS } from "./limits.ts";
import { answers, fileEndpoint, findRunning, noEngine, type Running } from "./node-endpoint.ts";
import { launchEngine } from "./node-launch.ts";

// `roundhouse/client/node`: the client of the engine of this machine, found by its `runtime.json`.
export type * from "./client.ts";
export { EngineError, EngineNotRunning, TurnCancelled, TurnFailed } from "./errors.ts";

/** Which engine to connect to. */
export interface ConnectOptions extends Transport {
  /** Whether an engine is launched if none runs. The disposal of the client stops it. */
  launch?: boolean;
  /** The program to launch, and its arguments; by default the engine beside this file, or `roundhouse` on PATH. */
  command?: readonly string[];
  /** The engine's data directory; by default `ENGINE_DATA_DIR`, or that of the platform. */
  dataDirectory?: string;
  /** Variables; by default those of this process. */
  env?: Record<string, string | undefined>;
  /** How long calls and turns wait for an engine that is away, in milliseconds: 30,000 by default; 0 does not wait. */
  reconnectMs?: number;
  /** Aborts the connection. */
  signal?: AbortSignal;
}

/**
 * A client of the running engine. After a restart of the engine it reads `runtime.json` again.
 * @throws EngineNotRunning if none runs, and none was launched.
 */
export async function connect(options: ConnectOptions = {}): Promise<EngineClient> {
  const { launch = false, command, env = process.env, signal } = options;
  const transport = { reconnectMs: RECONNECT_MS, ...options };
  const dataDirectory =
    options.dataDirectory ??
    (env.ENGINE_DATA_DIR || defaultDataDirectory("roundhouse", env, thisMachine()));
  const file = join(dataDirectory, "runtime.json");
  const find = async (): Promise<Running | undefined> => {
    const running = await findRunning(file);
    return running && (await answers(running, options.fetch ?? fetch)) ? running : undefined;
  };
  signal?.throwIfAborted();
  const running = await find();
  if (running) return clientOf(fileEndpoint(file, running), transport);
  if (!launch) throw noEngine(file);
  const launched = await launchEngine({
    command,
    env: { ...env, ENGINE_DATA_DIR: dataDirectory },
    file,
    find,
    signal,
  });
  return clientOf(fileEndpoint(file, launched.running), transport, launched.stop);
}
