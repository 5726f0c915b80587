/** Cuts streamed text only between code points: a half of one is held back until its other half comes. */
export class WholeCodePoints {
  #held = "";

  /** What can be shown now; may be empty. A half that is followed by something else becomes U+FFFD. */
  push(text: string): string {
    const whole = this.#held + text;
    const cut = isHighSurrogate(whole.charCodeAt(whole.length - 1))
      ? whole.length - 1
      : whole.length;
    this.#held = whole.slice(cut);
    return whole.slice(0, cut).toWellFormed();
  }

  /** What is still held back when nothing more comes. */
  flush(): string {
    const rest = this.#held.toWellFormed();
    this.#held = "";
    return rest;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
