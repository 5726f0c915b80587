/** The lines of a text by offset, for offsets that only rise. */
export class LineCounter {
  readonly #source: string;
  #at = 0;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
  }

  /** From 1. A line ends with \n, \r\n or a lone \r, as for chunks. */
  lineAt(offset: number): number {
    for (; this.#at < offset && this.#at < this.#source.length; this.#at += 1) {
      const code = this.#source.charCodeAt(this.#at);
      const isPair = code === 13 && this.#source.charCodeAt(this.#at + 1) === 10;
      if (code === 10 || (code === 13 && !isPair)) this.#line += 1;
    }
    return this.#line;
  }
}
