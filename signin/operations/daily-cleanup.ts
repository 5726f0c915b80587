import type { Clock, Timers } from "../../shared/clock.ts";
import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import { CLEANUP_FIRST_AFTER_MS, CLEANUP_INTERVAL_MS } from "../limits.ts";
import { cleanUp } from "./cleanup.ts";

interface DailyCleanupDeps {
  db: Database;
  clock: Clock;
  timers: Timers;
  log: Logger;
}

/** Cleans up a minute after the start and then once a day, until it is disposed. A failure is logged; the next day retries. */
export function startDailyCleanup({ db, clock, timers, log }: DailyCleanupDeps): AsyncDisposable {
  const stop = new AbortController();
  let running = Promise.resolve();
  let callOff = timers.after(CLEANUP_FIRST_AFTER_MS, begin);

  function begin(): void {
    running = run();
  }

  async function run(): Promise<void> {
    try {
      const counts = await cleanUp({ db, clock }, stop.signal);
      log.debug({ counts }, "Cleanup deleted expired rows.");
    } catch (error) {
      if (stop.signal.aborted) return;
      log.error({ error }, "The cleanup failed.");
    }
    if (!stop.signal.aborted) callOff = timers.after(CLEANUP_INTERVAL_MS, begin);
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      callOff();
      await running;
    },
  };
}
