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
export function decodePiece(bytes: Uint8Array, isLast: boolean): string {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes, { stream: !isLast });
    if (!text.includes("\0")) return text;
  } catch {
    // Reported below, as for text with a NUL.
  }
  throw new ToolFailure("path: the file is not UTF-8 text here.");
}
