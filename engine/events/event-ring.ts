/** The bounds of a ring. */
export interface RingBounds {
  /** What is kept; the oldest event goes first. */
  eventsMax: number;
  bytesMax: number;
}

/** The newest events, encoded and numbered from 1. They go over the bounds until the next `trim`. */
export class EventRing {
  readonly #bounds: RingBounds;
  readonly #kept: string[] = [];
  #bytes = 0;
  #last = 0;

  constructor(bounds: RingBounds) {
    this.#bounds = bounds;
  }

  /** The number of the newest event; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest event that is kept. */
  get first(): number {
    return this.#last - this.#kept.length + 1;
  }

  append(text: string): void {
    this.#last += 1;
    this.#kept.push(text);
    this.#bytes += Buffer.byteLength(text);
  }

  /**
   * The events from one number, or from the oldest one, to below another number. If they are longer than `lengthMax`, the
   * first of them; `next` is the number after those.
   */
  read(from: number, below: number, lengthMax: number): { text: string; next: number } {
    const begin = Math.max(from - this.first, 0);
    const stop = below - this.first;
    let end = begin;
    let length = 0;
    while (end < stop && length < lengthMax) {
      length += this.#kept[end]?.length ?? 0;
      end += 1;
    }
    return { text: this.#kept.slice(begin, end).join(""), next: this.first + end };
  }

  /** Forgets what is over the bounds, and all events below `needed`. */
  trim(needed: number): void {
    const { eventsMax, bytesMax } = this.#bounds;
    let end = Math.max(this.#kept.length - eventsMax, needed - this.first, 0);
    for (const text of this.#kept.slice(0, end)) this.#bytes -= Buffer.byteLength(text);
    for (; this.#bytes > bytesMax; end += 1) {
      this.#bytes -= Buffer.byteLength(this.#kept[end] ?? "");
    }
    this.#kept.splice(0, end);
  }
}

/** The number that is written as an id; NaN, after which no reader can resume, for any other text. */
export function toNumber(id: string): number {
  return /^[0-9]{1,15}$/.test(id) ? Number(id) : Number.NaN;
}

/** An event that a reader can resume after, as text of a stream. Without data its `data:` line is empty. */
export function encodeEvent(id: string, type: string, data?: object): string {
  const text = data === undefined ? "" : ` ${JSON.stringify(data)}`;
  return `id: ${id}\nevent: ${type}\ndata:${text}\n\n`;
}
