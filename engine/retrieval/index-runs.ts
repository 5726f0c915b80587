import { conflict } from "../errors.ts";

/** The queued and running index runs of each workspace, so that they can be cancelled. */
export class IndexRuns {
  readonly #controllers = new Map<string, Set<AbortController>>();

  /** Performs a run with a signal that aborts with the given one, or on `cancel`. */
  async run<Result>(
    workspaceUuid: string,
    work: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const controller = new AbortController();
    const runs = this.#controllers.get(workspaceUuid) ?? new Set();
    this.#controllers.set(workspaceUuid, runs.add(controller));
    try {
      const signals = signal ? [controller.signal, signal] : [controller.signal];
      return await work(AbortSignal.any(signals));
    } finally {
      runs.delete(controller);
      if (runs.size === 0) this.#controllers.delete(workspaceUuid);
    }
  }

  /** Cancels the running and queued runs of a workspace, whose requests get a 409. Returns their number. */
  cancel(workspaceUuid: string): number {
    const runs = [...(this.#controllers.get(workspaceUuid) ?? [])];
    for (const run of runs) run.abort(conflict("The index run was cancelled."));
    return runs.length;
  }
}
