import { cutToBytes } from "../cut-text.ts";
import { SECRET_CHARACTERS_MIN } from "./limits.ts";

const REPLACEMENT = "[redacted]";
// C0 and C1 controls but tab and line feed, and the marks that reverse the direction of text.
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of a server as people and models may see it: without terminal escapes, hidden marks, or the headers it was sent. */
export class ForeignText {
  readonly #secrets: readonly string[];

  /** `headers` are the values that the server receives. */
  constructor(headers: readonly string[]) {
    // `Bearer abc` comes back as `abc`, too.
    const parts = headers.flatMap((value) => [value, ...value.split(/\s+/)]);
    this.#secrets = [...new Set(parts)]
      .filter(({ length }) => length >= SECRET_CHARACTERS_MIN)
      .sort((left, right) => right.length - left.length);
  }

  /** At most `bytesMax` bytes; ends with a notice if it is cut. */
  clean(text: string, bytesMax: number): string {
    const size = Buffer.byteLength(text);
    // Cut before anything else reads it; a secret at the edge stays whole until it is replaced.
    const start = size > 2 * bytesMax ? cutToBytes(text, 2 * bytesMax) : text;
    const clean = this.redact(start).replaceAll(UNSEEN, "");
    if (Buffer.byteLength(clean) <= bytesMax && start === text) return clean;
    const notice = `\n[Cut: the text has ${size} bytes.]`;
    return cutToBytes(clean, bytesMax - Buffer.byteLength(notice)) + notice;
  }

  redact(text: string): string {
    return this.#secrets.reduce((kept, secret) => kept.replaceAll(secret, REPLACEMENT), text);
  }
}
