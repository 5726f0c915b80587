const TEXT_BYTES_MAX = 16_384;
const SERIAL = 0;
/** Where the lengths of the texts begin. */
const LENGTHS = 1;
const HEAD_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

/** The texts, by their position. */
const ROOT = 0;
const PATH = 1;
const TEXTS = 2;

/** The file that the indexing thread is processing. */
export interface Held {
  /** Another one for each file. */
  serial: number;
  root: string;
  path: string;
}

/**
 * The work of the indexing thread, in memory that another thread can read while the indexing thread is blocked. A message for
 * each file would cost both threads more.
 */
export class IndexHeartbeat {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + TEXTS * TEXT_BYTES_MAX)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT);
  }

  /** Marks the work on a file until the result is disposed of. The code in between must not await. */
  enter(root: string, path: string): Disposable {
    this.#write(ROOT, root);
    this.#write(PATH, path);
    Atomics.add(this.#head, SERIAL, 1);
    return { [Symbol.dispose]: () => void Atomics.add(this.#head, SERIAL, 1) };
  }

  /** Consistent only if two reads in a row return the same serial. */
  read(): Held | undefined {
    const serial = Atomics.load(this.#head, SERIAL);
    // Even numbers stand between files.
    if (serial % 2 === 0) return undefined;
    return { serial, root: this.#read(ROOT), path: this.#read(PATH) };
  }

  #write(text: number, value: string): void {
    const { written } = new TextEncoder().encodeInto(value, this.#bytes(text));
    Atomics.store(this.#head, LENGTHS + text, written);
  }

  #read(text: number): string {
    const length = Atomics.load(this.#head, LENGTHS + text);
    return new TextDecoder().decode(this.#bytes(text).slice(0, length));
  }

  #bytes(text: number): Uint8Array {
    return new Uint8Array(this.memory, HEAD_BYTES + text * TEXT_BYTES_MAX, TEXT_BYTES_MAX);
  }
}
