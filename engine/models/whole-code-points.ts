/** Cuts streamed text only between code points: a high surrogate is held until its low surrogate arrives. */
export class WholeCodePoints {
  #held = "";

  /** The text that can be shown now, maybe empty. A lone surrogate becomes U+FFFD. */
  push(text: string): string {
    const whole = this.#held + text;
    const cut = isHighSurrogate(whole.charCodeAt(whole.length - 1))
      ? whole.length - 1
      : whole.length;
    this.#held = whole.slice(cut);
    return whole.slice(0, cut).toWellFormed();
  }

  /** The rest at the end of the stream. */
  flush(): string {
    const rest = this.#held.toWellFormed();
    this.#held = "";
    return rest;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
