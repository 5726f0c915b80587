import { conflict } from "../errors.ts";

/** The queued and running index runs of each workspace, so that they can be cancelled. */
export class IndexRuns {
  readonly #runs = new Set<{ workspaceUuids: readonly string[]; controller: AbortController }>();

  /** Performs a run of these workspaces with a signal that aborts with the given one, or on `cancel` of one of them. */
  async run<Result>(
    workspaceUuids: readonly string[],
    work: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const run = { workspaceUuids, controller: new AbortController() };
    const signals = signal ? [run.controller.signal, signal] : [run.controller.signal];
    this.#runs.add(run);
    try {
      return await work(AbortSignal.any(signals));
    } finally {
      this.#runs.delete(run);
    }
  }

  /** Cancels the running and queued runs of a workspace, whose requests get a 409. Returns their number. */
  cancel(workspaceUuid: string): number {
    const runs = [...this.#runs].filter((run) => run.workspaceUuids.includes(workspaceUuid));
    for (const { controller } of runs) controller.abort(conflict("The index run was cancelled."));
    return runs.length;
  }
}
