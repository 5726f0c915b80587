import { systemTimers, type Timers } from "../../../shared/clock.ts";
import { MIB } from "../../../shared/units.ts";
import { Semaphore } from "../../semaphore.ts";
import { untilAborted } from "../../until-aborted.ts";
import {
  DOCUMENT_HEAP_MIB_MAX,
  DOCUMENT_MEMORY_BYTES_MAX,
  DOCUMENT_MEMORY_CHECK_MS,
  DOCUMENT_READ_MS,
  DOCUMENT_THREAD_IDLE_MS,
} from "../limits.ts";
import { Thread, threadProgram } from "../thread.ts";
import type { DocumentCalls, DocumentRead, DocumentRequest } from "./document-thread.ts";

const TOO_LONG = "Reading it took more than 20 s.";
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: DOCUMENT_HEAP_MIB_MAX };

/**
 * Reads documents, one at a time, in a thread of its own. Terminates the thread if a document takes too long or too much
 * memory. Otherwise the thread serves the next document and ends when it is idle: starting one takes longer than reading
 * most documents.
 */
export class DocumentReader implements Disposable {
  readonly #timers: Timers;
  readonly #memoryBytesMax: number;
  readonly #reads = new Semaphore(1);
  #thread: Thread<DocumentCalls> | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(timers: Timers = systemTimers, memoryBytesMax = DOCUMENT_MEMORY_BYTES_MAX) {
    this.#timers = timers;
    this.#memoryBytesMax = memoryBytesMax;
  }

  /** @throws the signal's reason; an Error if the thread could not be started, which is no fault of the document. */
  read(request: DocumentRequest, signal = new AbortController().signal): Promise<DocumentRead> {
    return untilAborted(signal, this.#read(request, signal));
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  async #read(request: DocumentRequest, signal: AbortSignal): Promise<DocumentRead> {
    using stack = new DisposableStack();
    stack.use(await this.#reads.acquire());
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const { promise, resolve, reject } = Promise.withResolvers<DocumentRead>();
    const fail = (reason: string) => resolve({ kind: "failed", reason });
    const tooMuch = `Reading it took more than ${this.#memoryBytesMax / MIB} MiB of memory.`;
    stack.defer(this.#timers.after(DOCUMENT_READ_MS, () => fail(TOO_LONG)));
    stack.defer(this.#watchMemory(() => fail(tooMuch)));
    let isRead = false;
    this.#start()
      .calls.read(request)
      .then(
        (read) => {
          isRead = true;
          resolve(read);
        },
        (error: NodeJS.ErrnoException) =>
          error.code === "ERR_WORKER_OUT_OF_MEMORY" ? fail(tooMuch) : reject(error),
      );
    try {
      return await untilAborted(signal, promise);
    } finally {
      if (isRead) this.#rest();
      else this.#end();
    }
  }

  // The limits of a thread do not cover memory outside its heap, such as buffers; the size of the process does.
  #watchMemory(exceeded: () => void): () => void {
    const limit = process.memoryUsage.rss() + this.#memoryBytesMax;
    let cancel = () => {};
    const look = () => {
      if (process.memoryUsage.rss() > limit) exceeded();
      else cancel = this.#timers.after(DOCUMENT_MEMORY_CHECK_MS, look);
    };
    look();
    return () => cancel();
  }

  #start(): Thread<DocumentCalls> {
    // An ended thread is replaced at the next document, even if it ended between two.
    this.#thread ??= new Thread(
      threadProgram("document-thread", import.meta.url),
      {},
      {
        resourceLimits: RESOURCE_LIMITS,
        onEnd: () => {
          this.#thread = undefined;
        },
      },
    );
    return this.#thread;
  }

  #rest(): void {
    this.#idle = setTimeout(() => this.#end(), DOCUMENT_THREAD_IDLE_MS);
    this.#idle.unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    void this.#thread?.terminate(new Error("The document thread was ended."));
    this.#thread = undefined;
  }
}
