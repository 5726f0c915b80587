import type { Timers } from "../../../shared/clock.ts";
import { INDEX_FILE_MS_MAX, INDEX_WATCH_INTERVAL_MS } from "../limits.ts";

const TEXT_BYTES_MAX = 32_768;
const SERIAL = 0;
/** The length of the text. */
const LENGTH = 1;
const HEAD_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;

/** The file that the indexing thread is processing. */
interface Held {
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
  readonly #text: Uint8Array;

  constructor(memory = new SharedArrayBuffer(HEAD_BYTES + TEXT_BYTES_MAX)) {
    this.memory = memory;
    this.#head = new Int32Array(memory, 0, HEAD_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#text = new Uint8Array(memory, HEAD_BYTES);
  }

  /** Marks the work on a file until the result is disposed of. The code in between must not await. */
  enter(root: string, path: string): Disposable {
    const { written } = new TextEncoder().encodeInto(`${root}\0${path}`, this.#text);
    Atomics.store(this.#head, LENGTH, written);
    Atomics.add(this.#head, SERIAL, 1);
    return { [Symbol.dispose]: () => void Atomics.add(this.#head, SERIAL, 1) };
  }

  /** Consistent only if two reads in a row return the same serial. */
  read(): Held | undefined {
    const serial = Atomics.load(this.#head, SERIAL);
    // Even numbers stand between files.
    if (serial % 2 === 0) return undefined;
    const text = this.#text.slice(0, Atomics.load(this.#head, LENGTH));
    const [root = "", path = ""] = new TextDecoder().decode(text).split("\0");
    return { serial, root, path };
  }
}

/**
 * Calls `onHang` with what blocks the indexing thread for too long. Looks at the heartbeat of the current thread at an interval.
 * Returns a function that ends this.
 */
export function watchHeartbeat(
  timers: Timers,
  heartbeat: () => IndexHeartbeat,
  onHang: (held: Held) => void,
): () => void {
  let cancel = () => {};
  const look = (before?: { serial: number; heldMs: number }) => {
    const held = heartbeat().read();
    const isSame = held !== undefined && held.serial === before?.serial;
    const heldMs = isSame ? before.heldMs + INDEX_WATCH_INTERVAL_MS : 0;
    const isHung = heldMs >= INDEX_FILE_MS_MAX;
    if (held && isHung) onHang(held);
    const seen = held && !isHung ? { serial: held.serial, heldMs } : undefined;
    cancel = timers.after(INDEX_WATCH_INTERVAL_MS, () => look(seen));
  };
  look();
  return () => cancel();
}
