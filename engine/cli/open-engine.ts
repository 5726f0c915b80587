import { connect, EngineNotRunning } from "../client/node.ts";
import type { DataDirectory } from "../runtime/data-directory.ts";
import { readRuntimeFile } from "../runtime/runtime-file.ts";
import type { OpenEngine } from "./context.ts";

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
