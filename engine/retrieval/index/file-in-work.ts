const PATH_BYTES_MAX = 16_384;
const SERIAL = 0;
const ROOT_LENGTH = 1;
const PATH_LENGTH = 2;
const HEAD_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

/** The file that the indexing thread is processing. */
export interface Held {
  /** Different for each file. */
  serial: number;
  root: string;
  path: string;
}

/**
 * The current file of the indexing thread, in shared memory: another thread can read it while the indexing thread is
 * blocked. A message for each file would cost both threads more.
 */
export class FileInWork {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;
  readonly #root: Uint8Array;
  readonly #path: Uint8Array;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + 2 * PATH_BYTES_MAX)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, 3);
    this.#root = new Uint8Array(memory, HEAD_BYTES, PATH_BYTES_MAX);
    this.#path = new Uint8Array(memory, HEAD_BYTES + PATH_BYTES_MAX, PATH_BYTES_MAX);
  }

  /** Marks a file until disposal; no code that waits may run in between. */
  enter(root: string, path: string): Disposable {
    const encoder = new TextEncoder();
    Atomics.store(this.#head, ROOT_LENGTH, encoder.encodeInto(root, this.#root).written);
    Atomics.store(this.#head, PATH_LENGTH, encoder.encodeInto(path, this.#path).written);
    Atomics.add(this.#head, SERIAL, 1);
    return { [Symbol.dispose]: () => void Atomics.add(this.#head, SERIAL, 1) };
  }

  /** Reliable where two reads in a row give the same serial. */
  read(): Held | undefined {
    const serial = Atomics.load(this.#head, SERIAL);
    // An even serial means that no file is in work.
    if (serial % 2 === 0) return undefined;
    const text = (bytes: Uint8Array, length: number) =>
      new TextDecoder().decode(bytes.slice(0, Atomics.load(this.#head, length)));
    return {
      serial,
      root: text(this.#root, ROOT_LENGTH),
      path: text(this.#path, PATH_LENGTH),
    };
  }
}
