const TEXT_BYTES_MAX = 16_384;
const SERIAL = 0;
const BEATS = 1;
/** Where the lengths of the texts begin. */
const LENGTHS = 2;
const HEAD_BYTES = 5 * Int32Array.BYTES_PER_ELEMENT;

/** The texts, by their position. */
const ROOT = 0;
const PATH = 1;
const TURN = 2;
const TEXTS = 3;

/** The file that the indexing thread is processing. */
export interface Held {
  /** Another one for each file. */
  serial: number;
  root: string;
  path: string;
}

/**
 * What the indexing thread works on, in memory that another thread can read while that one answers nothing. A message for
 * each file would cost both threads more.
 */
export class FileInWork {
  readonly memory: SharedArrayBuffer;
  readonly #head: Int32Array;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + TEXTS * TEXT_BYTES_MAX)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT);
  }

  /** Marks what runs until the result is disposed of: nothing that waits may stand between. */
  enter(root: string, path: string): Disposable {
    this.#write(ROOT, root);
    this.#write(PATH, path);
    Atomics.add(this.#head, SERIAL, 1);
    return { [Symbol.dispose]: () => void Atomics.add(this.#head, SERIAL, 1) };
  }

  /** From here on the thread works for this root, until it works for another one. */
  turnTo(root: string): void {
    this.#write(TURN, root);
  }

  /** Called at intervals: a thread that is held calls nothing. */
  beat(): void {
    Atomics.add(this.#head, BEATS, 1);
  }

  /** Reliable for a serial that two reads in a row give. */
  read(): Held | undefined {
    const serial = Atomics.load(this.#head, SERIAL);
    // Even numbers stand between files.
    if (serial % 2 === 0) return undefined;
    return { serial, root: this.#read(ROOT), path: this.#read(PATH) };
  }

  /** 0 until the thread runs. */
  get beats(): number {
    return Atomics.load(this.#head, BEATS);
  }

  /** The root that the thread works for; empty before the first run. */
  get turn(): string {
    return this.#read(TURN);
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
