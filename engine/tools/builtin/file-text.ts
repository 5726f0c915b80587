import { fromUtf8 } from "../../../shared/bytes.ts";
import { TEXT_FILE_BYTES_MAX } from "../../files/limits.ts";
import { ToolFailure } from "./builtin.ts";

/**
 * Replaces the only occurrence of a text.
 * @throws ToolFailure if there is none, or more than one.
 */
export function replaceOnce(content: string, oldText: string, newText: string): string {
  const at = content.indexOf(oldText);
  if (at === -1) throw new ToolFailure("old_text: the file does not have this text.");
  if (content.indexOf(oldText, at + 1) !== -1) {
    throw new ToolFailure("old_text: the file has this text more than once; give more of it.");
  }
  return content.slice(0, at) + newText + content.slice(at + oldText.length);
}

/** @throws ToolFailure if a text is too long for a file, or not valid Unicode. */
export function checkFileText(content: string): void {
  if (!content.isWellFormed()) throw new ToolFailure("content: must be valid Unicode.");
  if (Buffer.byteLength(content) > TEXT_FILE_BYTES_MAX) {
    throw new ToolFailure(`content: must have at most ${TEXT_FILE_BYTES_MAX} bytes.`);
  }
}

/**
 * Decodes a piece of a file, without an incomplete character at its end.
 * @throws ToolFailure if it is not UTF-8 text.
 */
export function decodePiece(
  bytes: Uint8Array,
  isLast: boolean,
): { text: string; sizeBytes: number } {
  const sizeBytes = isLast ? bytes.length : wholeCharacters(bytes);
  try {
    const text = fromUtf8(bytes.subarray(0, sizeBytes));
    if (!text.includes("\0")) return { text, sizeBytes };
  } catch {
    // Reported below, as for text with a NUL.
  }
  throw new ToolFailure("path: the file is not UTF-8 text here.");
}

const CHARACTER_BYTES_MAX = 4;

function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back < CHARACTER_BYTES_MAX && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const expected = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return expected > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
