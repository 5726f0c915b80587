import { setTimeout as wait } from "node:timers/promises";
import type { EngineClient, RagRootIndex, Workspace } from "../client/client.ts";
import { EngineError } from "../client/errors.ts";
import type { CommandContext } from "./context.ts";
import { PROGRESS_INTERVAL_MS } from "./limits.ts";
import { createProgressBar, type ProgressBar } from "./progress-bar.ts";

interface IndexRun {
  engine: EngineClient;
  workspace: Workspace;
  bar: ProgressBar;
  /** Cancels the run. */
  signal: AbortSignal;
}

/**
 * Indexes every root of a workspace, and shows how far it is. The counts of the run; undefined if the run outlived the request
 * for it, which Node ends after five minutes.
 */
export async function runIndexing(
  context: CommandContext,
  engine: EngineClient,
  workspace: Workspace,
): Promise<RagRootIndex[] | undefined> {
  const { terminal, signal } = context;
  using bar = createProgressBar(terminal, context.isInteractive());
  const run = { engine, workspace, bar, signal };
  const ended = new AbortController();
  const indexing = engine.retrieval.indexWorkspace(workspace.uuid, { signal });
  const shown = showProgress(run, AbortSignal.any([ended.signal, signal]));
  try {
    return (await indexing).roots;
  } catch (error) {
    if (signal.aborted) await engine.retrieval.cancelIndexing(workspace.uuid);
    if (signal.aborted || !(error instanceof EngineError) || error.status !== 0) throw error;
    await untilIdle(run);
    return undefined;
  } finally {
    ended.abort();
    await shown;
  }
}

async function showProgress(run: IndexRun, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    // A status that cannot be read now is read later; the run itself reports a failure.
    await showOnce(run).catch(() => {});
    await pause(until);
  }
}

async function untilIdle(run: IndexRun): Promise<void> {
  while (await showOnce(run)) await pause(run.signal);
}

/** Whether a run is on. */
async function showOnce({ engine, workspace, bar }: IndexRun): Promise<boolean> {
  const { roots } = await engine.retrieval.getStatus(workspace.uuid);
  const running = roots.find((root) => root.running !== null && root.running.phase !== "waiting");
  if (running?.running) bar.show(running.running);
  return roots.some((root) => root.running !== null);
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(PROGRESS_INTERVAL_MS, undefined, { signal }).catch(() => {
    // The caller looks at the signal.
  });
}
