import { MODEL_FRAME_BYTES_MAX, MODEL_LINE_BYTES_MAX } from "../limits.ts";

const LINE_END = 0x0a;
/** A frame begins with its own length; the shortest is its head and its checksums. */
const FRAME_LENGTH_BYTES = 4;
const FRAME_BYTES_MIN = 16;

/** Takes the next bytes of a stream; false once an event in it is longer than its bound. */
type EventLength = (chunk: Uint8Array) => boolean;

/**
 * Measures the events of a streamed answer. A package collects an event before it parses it, with one copy for each piece, so an
 * endless one would cost more with each byte. Events are lines of text, or frames of `application/vnd.amazon.eventstream`.
 */
export function createEventLength(contentType: string | null): EventLength {
  return /^application\/vnd\.amazon\.eventstream\b/i.test(contentType ?? "")
    ? createFrameLength()
    : createLineLength();
}

function createLineLength(): EventLength {
  let lineBytes = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(LINE_END, at);
      lineBytes += (end < 0 ? chunk.length : end) - at;
      if (lineBytes > MODEL_LINE_BYTES_MAX) return false;
      if (end < 0) return true;
      lineBytes = 0;
      at = end + 1;
    }
    return true;
  };
}

function createFrameLength(): EventLength {
  // The bytes of the next frame's length so far, then the rest of the frame.
  let length = 0;
  let lengthBytes = 0;
  let left = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        left -= taken;
        at += taken;
        continue;
      }
      length = length * 256 + (chunk[at++] ?? 0);
      if (++lengthBytes < FRAME_LENGTH_BYTES) continue;
      if (length > MODEL_FRAME_BYTES_MAX) return false;
      // The package refuses a frame that cannot be one, and ends the answer.
      left = Math.max(length, FRAME_BYTES_MIN) - FRAME_LENGTH_BYTES;
      length = 0;
      lengthBytes = 0;
    }
    return true;
  };
}
