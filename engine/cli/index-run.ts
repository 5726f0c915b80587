import { setTimeout as wait } from "node:timers/promises";
import type { EngineClient, RagRootIndex, Workspace } from "../client/client.ts";
import { EngineError } from "../client/errors.ts";
import type { CommandContext } from "./context.ts";
import { PROGRESS_INTERVAL_MS } from "./limits.ts";
import { createProgressBar } from "./progress-bar.ts";

/**
 * Indexes every root of a workspace, and shows how far it is. The counts of the run; undefined if the run outlived the request
 * for it, which Node ends after five minutes.
 */
export async function runIndexing(
  { terminal, signal, isInteractive }: CommandContext,
  { retrieval }: EngineClient,
  { uuid }: Workspace,
): Promise<RagRootIndex[] | undefined> {
  using bar = createProgressBar(terminal, isInteractive());
  /** Whether a run is on. */
  const showOnce = async () => {
    const { roots } = await retrieval.getStatus(uuid);
    const running = roots.find((root) => root.running !== null && root.running.phase !== "waiting");
    if (running?.running) bar.show(running.running);
    return roots.some((root) => root.running !== null);
  };
  const showUntil = async (until: AbortSignal) => {
    while (!until.aborted) {
      // A status that cannot be read now is read later; the run itself reports a failure.
      await showOnce().catch(() => {});
      await pause(until);
    }
  };
  const ended = new AbortController();
  const indexing = retrieval.indexWorkspace(uuid, { signal });
  const shown = showUntil(AbortSignal.any([ended.signal, signal]));
  try {
    return (await indexing).roots;
  } catch (error) {
    if (signal.aborted) await retrieval.cancelIndexing(uuid);
    if (signal.aborted || !(error instanceof EngineError) || error.status !== 0) throw error;
    while (await showOnce()) await pause(signal);
    return undefined;
  } finally {
    ended.abort();
    await shown;
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await wait(PROGRESS_INTERVAL_MS, undefined, { signal }).catch(() => {
    // The caller looks at the signal.
  });
}
