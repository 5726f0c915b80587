const SNIFF_BYTES = 8_192;
const CONTROL_SHARE_MAX = 0.1;

/** Decodes a file without its byte order mark; undefined if it is not text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  return text.includes("\0") || isMostlyControl(text) ? undefined : text;
}

/** By the byte order mark; UTF-8 needs none. */
export function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function isMostlyControl(text: string): boolean {
  const controls = text.slice(0, SNIFF_BYTES).match(/[\x01-\x08\x0e-\x1f\x7f]/g)?.length ?? 0;
  return controls > Math.min(text.length, SNIFF_BYTES) * CONTROL_SHARE_MAX;
}
