import { onAbort } from "../../shared/on-abort.ts";
import type { Finding } from "../checks/finding.ts";

type Look = (signal: AbortSignal) => Promise<Finding[]>;

interface Running {
  found: Promise<Finding[]>;
  cancel: AbortController;
  /** Requests that wait for it. */
  waiting: number;
}

/** One look at a time: requests that come meanwhile share it. It is cancelled when none of them waits any more. */
export class SharedLook {
  readonly #look: Look;
  #running: Running | undefined;

  constructor(look: Look) {
    this.#look = look;
  }

  /** @throws the reason of the signal if it is aborted first */
  async findings(signal: AbortSignal): Promise<Finding[]> {
    const running = this.#running ?? this.#begin();
    running.waiting += 1;
    const left = Promise.withResolvers<never>();
    const stay = onAbort(signal, () => left.reject(signal.reason));
    try {
      return await Promise.race([running.found, left.promise]);
    } finally {
      stay();
      running.waiting -= 1;
      if (running.waiting === 0) this.#end(running);
    }
  }

  #begin(): Running {
    const cancel = new AbortController();
    const running = { found: this.#look(cancel.signal), cancel, waiting: 0 };
    // Every request may have left by then.
    running.found.catch(() => {});
    this.#running = running;
    return running;
  }

  /** What comes later looks again. */
  #end(running: Running): void {
    running.cancel.abort();
    if (this.#running === running) this.#running = undefined;
  }
}
