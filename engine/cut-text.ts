import { utf8 } from "../shared/bytes.ts";

const UTF8_BYTES_A_UNIT_MAX = 3;

/** The beginning of a text, at most so many bytes of UTF-8, never cut inside a character. */
export function cutToBytes(text: string, bytesMax: number): string {
  if (text.length * UTF8_BYTES_A_UNIT_MAX <= bytesMax) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}

/** The same with a notice of what is missing, behind the bytes that are kept. A text that fits stays as it is. */
export function cutWithNotice(text: string, bytesMax: number): string {
  const kept = cutToBytes(text, bytesMax);
  if (kept.length === text.length) return text;
  return `${kept}\n[Cut: the first ${bytesMax} of ${utf8(text).length} bytes.]`;
}
