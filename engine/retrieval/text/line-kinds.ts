import { parseHeading } from "./heading.ts";
import type { TextKind } from "./kind.ts";

/** A line, or a piece of an overlong one: the smallest part of a chunk. */
export interface Segment {
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

const FENCE = /^\s{0,3}(```|~~~)/;
const RULE = /^\s{0,3}([-*_=])(\s*\1){2,}\s*$/;
const DECLARATION =
  /^(\s*)(?:@\w|(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|async\s+|pub(?:\([^)]*\))?\s+)*(?:function\b|class\b|interface\b|type\s+\w|enum\b|struct\b|trait\b|impl\b|namespace\b|module\b|def\s|fn\s|func\s|(?:const|let|var)\s+\w+\s*=|(?:public|private|protected)\s+\w))/;
// The beginning of a declaration.
const DECLARATION_CHARACTERS_MAX = 1_000;
const SENTENCE_END = /[.!?:;]["')\]]?\s*$/;
const HEADING_CHARACTERS_MAX = 160;
const BLANK_SCORE = 20;

/** State from the lines above. */
export interface LineState {
  kind: TextKind;
  fence: boolean;
  headings: string[];
  declaration: string;
  previous: string;
}

export function createLineState(kind: TextKind): LineState {
  return { kind, fence: false, headings: [], declaration: "", previous: "" };
}

/** The score and heading of the next line; updates the state. */
export function readLine(state: LineState, line: string): { breakScore: number; heading: string } {
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
