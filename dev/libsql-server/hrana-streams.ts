import { randomToken } from "../../shared/random.ts";
import type { HranaStream } from "./hrana-stream.ts";
import { type HranaAnswer, HranaError, type HranaPipeline, toHranaFault } from "./hrana-wire.ts";

/** The timeouts of streams. */
export interface HranaTimes {
  /** A stream without a request for this long is rolled back and closed. */
  idleMs: number;
  /** A pipeline waits this long for another stream's transaction. */
  lockWaitMs: number;
}

const STREAMS_MAX = 128;
const EXPIRED_BATONS_MAX = 1000;

interface Waiter {
  admit(): void;
}

/**
 * All open streams of one database file. They take turns: while one is inside a transaction, the pipelines of others
 * wait in JavaScript. Waiting inside SQLite would stop the event loop, and with it the request that would commit.
 */
export class HranaStreams implements Disposable {
  readonly #open: () => HranaStream;
  readonly #times: HranaTimes;
  readonly #parked = new Map<string, { stream: HranaStream; timer: NodeJS.Timeout }>();
  readonly #expired = new Set<string>();
  readonly #waiters: Waiter[] = [];
  /** The stream that may write: the one in a transaction, or the one whose pipeline runs. */
  #holder: HranaStream | undefined;

  constructor(open: () => HranaStream, times: HranaTimes) {
    this.#open = open;
    this.#times = times;
  }

  /** @throws HranaError where the baton is unknown or expired, or too many streams are open. */
  async run(pipeline: HranaPipeline): Promise<{ baton: string | null; results: HranaAnswer[] }> {
    const stream = this.#resume(pipeline.baton);
    try {
      await this.#acquire(stream);
    } catch (error) {
      stream[Symbol.dispose]();
      const fault = { type: "error" as const, error: toHranaFault(error) };
      return { baton: null, results: pipeline.requests.map(() => fault) };
    }
    const results = pipeline.requests.map((request) => stream.answer(request));
    if (!stream.inTransaction) this.#release(stream);
    return { baton: stream.closed ? null : this.#park(stream), results };
  }

  [Symbol.dispose](): void {
    for (const { stream, timer } of this.#parked.values()) {
      clearTimeout(timer);
      stream[Symbol.dispose]();
    }
    this.#parked.clear();
  }

  #resume(baton: string | null | undefined): HranaStream {
    if (!baton) {
      if (this.#parked.size >= STREAMS_MAX) {
        throw new HranaError("STREAMS_TOO_MANY", "Too many streams are open");
      }
      return this.#open();
    }
    const entry = this.#parked.get(baton);
    if (!entry) {
      if (this.#expired.has(baton)) throw new HranaError("STREAM_EXPIRED", "The stream expired");
      throw new HranaError("BATON_INVALID", "The baton is not valid");
    }
    // A baton is valid for one request. The response has the next one.
    this.#parked.delete(baton);
    clearTimeout(entry.timer);
    return entry.stream;
  }

  #park(stream: HranaStream): string {
    const baton = randomToken();
    const timer = setTimeout(() => this.#expire(baton, stream), this.#times.idleMs);
    timer.unref();
    this.#parked.set(baton, { stream, timer });
    return baton;
  }

  #expire(baton: string, stream: HranaStream): void {
    this.#parked.delete(baton);
    this.#expired.add(baton);
    const [oldest] = this.#expired;
    if (this.#expired.size > EXPIRED_BATONS_MAX && oldest) this.#expired.delete(oldest);
    stream[Symbol.dispose]();
    this.#release(stream);
  }

  #acquire(stream: HranaStream): Promise<void> {
    if (this.#holder === stream) return Promise.resolve();
    if (!this.#holder) {
      this.#holder = stream;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(timer);
          this.#holder = stream;
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(new HranaError("TRANSACTION_TIMEOUT", "Transaction timed out"));
      }, this.#times.lockWaitMs);
      this.#waiters.push(waiter);
    });
  }

  #release(stream: HranaStream): void {
    if (this.#holder !== stream) return;
    this.#holder = undefined;
    this.#waiters.shift()?.admit();
  }
}
