import { signal } from "@preact/signals";
import type { EngineStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { type Sample, sampleOf } from "./sample.ts";

// Five minutes.
const SAMPLES_KEPT_MAX = 100;

const INTERVAL_MS = 3000;

/** The last samples, the oldest first. They stay while other pages are shown. */
export const samples = signal<readonly Sample[]>([]);

/** The last status. */
export const status = signal<EngineStatus | undefined>(undefined);

/** Asks the engine every few seconds while the page is visible. Returns what ends it. */
export function startSampling(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: { status: EngineStatus; at: number } | undefined;
  const ask = async () => {
    clearTimeout(timer);
    if (signal.aborted || document.visibilityState === "hidden") return;
    try {
      const next = await engine.status.get({}, { signal });
      const at = performance.now();
      const sample = sampleOf(last?.status, next, at - (last?.at ?? 0));
      if (sample) samples.value = [...samples.value, sample].slice(-SAMPLES_KEPT_MAX);
      last = { status: next, at };
      status.value = next;
    } catch {
      // The shell says that the engine does not answer.
    }
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), INTERVAL_MS);
  };
  document.addEventListener("visibilitychange", () => void ask(), { signal });
  void ask();
  return () => {
    leaving.abort();
    clearTimeout(timer);
  };
}
