import { setImmediate } from "node:timers/promises";

/**
 * Hands a response on in slices, and lets others have their turn between them: what reads a stream does so in microtasks, and
 * one read of a socket can bring thousands of events, in one chunk or in many.
 */
export class ByteSlices {
  readonly #bytes: number;
  #left: number;

  /** `bytes` go on between two turns of the event loop. */
  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#left = bytes;
  }

  async *of(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + this.#left);
      at += slice.length;
      this.#left -= slice.length;
      yield slice;
      if (this.#left > 0) continue;
      this.#left = this.#bytes;
      await setImmediate();
    }
  }
}
