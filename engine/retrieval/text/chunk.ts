import { CHUNK_CHARACTERS_MAX, CHUNK_TARGET_CHARACTERS, DOCUMENT_CHUNKS_MAX } from "../limits.ts";
import type { TextKind } from "./kind.ts";
import { parseHeading } from "./title.ts";

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

const FENCE = /^\s{0,3}(```|~~~)/;
const RULE = /^\s{0,3}([-*_=])(\s*\1){2,}\s*$/;
const DECLARATION =
  /^(\s*)(?:@\w|(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|async\s+|pub(?:\([^)]*\))?\s+)*(?:function\b|class\b|interface\b|type\s+\w|enum\b|struct\b|trait\b|impl\b|namespace\b|module\b|def\s|fn\s|func\s|(?:const|let|var)\s+\w+\s*=|(?:public|private|protected)\s+\w))/;
// The beginning of a declaration.
const DECLARATION_CHARACTERS_MAX = 1_000;
const SENTENCE_END = /[.!?:;]["')\]]?\s*$/;
const HEADING_CHARACTERS_MAX = 160;
const BLANK_SCORE = 20;

/** A line, or a piece of an overlong one: the smallest part of a chunk. */
interface Segment {
  start: number;
  /** The offset after the line break. */
  end: number;
  /** From 1. */
  line: number;
  /** The score of this line as the beginning of a chunk. */
  breakScore: number;
  blank: boolean;
  /** The headings above, or the declaration around. */
  heading: string;
}

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
  const state: LineState = { kind, fence: false, headings: [], declaration: "", previous: "" };
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

/** State from the lines above. */
interface LineState {
  kind: TextKind;
  fence: boolean;
  headings: string[];
  declaration: string;
  previous: string;
}

/** The score of the next line as the beginning of a chunk, and its heading; updates the state. */
function readLine(state: LineState, line: string): { breakScore: number; heading: string } {
  const breakScore = state.kind === "markdown" ? readMarkdown(state, line) : readPlain(state, line);
  state.previous = line;
  const heading = state.kind === "markdown" ? state.headings.filter(Boolean).join(" > ") : "";
  return { breakScore, heading: heading || state.declaration };
}

function readMarkdown(state: LineState, line: string): number {
  if (FENCE.test(line)) {
    state.fence = !state.fence;
    return state.fence ? 80 : 0;
  }
  if (state.fence) return 0;
  const heading = parseHeading(line);
  if (heading) {
    state.headings.length = Math.min(state.headings.length, heading.level - 1);
    while (state.headings.length < heading.level - 1) state.headings.push("");
    state.headings.push(heading.title.slice(0, HEADING_CHARACTERS_MAX));
    return 110 - heading.level * 10;
  }
  return RULE.test(line) ? 60 : plainScore(state);
}

function readPlain(state: LineState, line: string): number {
  if (state.kind !== "code") return RULE.test(line) ? 60 : plainScore(state);
  const declared = DECLARATION.exec(line.slice(0, DECLARATION_CHARACTERS_MAX));
  if (!declared) return plainScore(state);
  const indent = declared[1] ?? "";
  if (indent === "") {
    state.declaration = line.trim().slice(0, HEADING_CHARACTERS_MAX);
    return 60;
  }
  return indent.length <= 4 ? 30 : plainScore(state);
}

function plainScore(state: LineState): number {
  if (state.previous.trim() === "") return BLANK_SCORE;
  return SENTENCE_END.test(state.previous) ? 8 : 1;
}
