import { CHUNK_CHARACTERS_MAX, CHUNK_TARGET_CHARACTERS, DOCUMENT_CHUNKS_MAX } from "../limits.ts";
import type { TextKind } from "./kind.ts";
import { createLineState, readLine, type Segment } from "./line-kinds.ts";

/** Version of all rules for the bounds of chunks; part of the signature of an index. */
export const CHUNKER_VERSION = 2;

/** A piece of a document. Lines count from 1 and are inclusive; null if the document has none. */
export interface Chunk {
  content: string;
  startLine: number | null;
  endLine: number | null;
  /** The headings above, or the declaration around: indexed, but not part of the content. */
  heading: string;
}

// A rest up to this much over the target stays whole: a short last chunk has little meaning alone.
const SLACK = 1.25;
const DISTANCE_PENALTY = 0.7;

/** Packs whole lines to about the target size, and cuts at seams of the text. No overlap. */
export function chunkText(text: string, kind: TextKind): Chunk[] {
  const segments = segmentsOf(text, kind);
  const chunks: Chunk[] = [];
  let from = 0;
  while (from < segments.length && chunks.length < DOCUMENT_CHUNKS_MAX) {
    const to = endOfChunk(segments, from);
    const chunk = toChunk(text, segments.slice(from, to));
    if (chunk) chunks.push(chunk);
    from = to;
  }
  return chunks;
}

// The beginning of the next chunk: the best seam in the second half of the window, else the first one after it that fits.
function endOfChunk(segments: Segment[], from: number): number {
  const start = segments[from]?.start ?? 0;
  const end = segments.at(-1)?.end ?? 0;
  if (end - start <= CHUNK_TARGET_CHARACTERS * SLACK) return segments.length;
  const half = CHUNK_TARGET_CHARACTERS / 2;
  let best = from + 1;
  let bestScore = -1;
  for (let at = from + 1; at <= segments.length; at += 1) {
    const size = (segments[at]?.start ?? end) - start;
    if (size > CHUNK_TARGET_CHARACTERS) {
      return bestScore < 0 && size <= CHUNK_CHARACTERS_MAX ? at : best;
    }
    const distance = (CHUNK_TARGET_CHARACTERS - size) / half;
    const score = (segments[at]?.breakScore ?? 0) * (1 - distance * distance * DISTANCE_PENALTY);
    if (size < half) best = at;
    else if (score >= bestScore) {
      best = at;
      bestScore = score;
    }
  }
  return best;
}

function toChunk(text: string, segments: Segment[]): Chunk | undefined {
  const first = segments.find(({ blank }) => !blank);
  const last = segments.findLast(({ blank }) => !blank);
  if (!first || !last) return undefined;
  const content = text.slice(first.start, endWithoutBreaks(text, last.end));
  return { content, startLine: first.line, endLine: last.line, heading: first.heading };
}

function endWithoutBreaks(text: string, end: number): number {
  let at = end;
  while (at > 0 && (text[at - 1] === "\n" || text[at - 1] === "\r")) at -= 1;
  return at;
}

function segmentsOf(text: string, kind: TextKind): Segment[] {
  const state = createLineState(kind);
  const segments: Segment[] = [];
  let line = 0;
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    line += 1;
    const content = text.slice(start, end);
    const { breakScore, heading } = readLine(state, content);
    const blank = content.trim() === "";
    for (const piece of piecesOf(text, start, end)) {
      const score = piece.start === start ? breakScore : 1;
      segments.push({ ...piece, line, breakScore: score, blank, heading });
    }
    start = end;
  }
  return segments;
}

// A line ends with \n, \r\n or a lone \r.
function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) return at + 1;
    if (code === 13) return text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
  }
  return text.length;
}

function piecesOf(text: string, start: number, end: number): { start: number; end: number }[] {
  if (end - start <= CHUNK_CHARACTERS_MAX) return [{ start, end }];
  const pieces: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > CHUNK_TARGET_CHARACTERS * SLACK) {
    const to = from + cutLine(text.slice(from, from + CHUNK_TARGET_CHARACTERS));
    pieces.push({ start: from, end: to });
    from = to;
  }
  pieces.push({ start: from, end });
  return pieces;
}

// After a sentence, else after a space, else between two code points.
function cutLine(window: string): number {
  const half = window.length / 2;
  for (const seam of [/[.!?。！？]["')\]]?\s+|[。！？]/gu, /\s+/gu]) {
    let cut = 0;
    for (const found of window.matchAll(seam)) cut = found.index + found[0].length;
    if (cut > half) return cut;
  }
  const last = window.charCodeAt(window.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length;
}
