/** A part of a text: whole lines, each cut to what a page can show. */
export interface TextPart {
  lines: readonly string[];
  /** Where the next part begins; undefined at the end of the text. */
  nextAt: number | undefined;
  /** Whether a line was cut. */
  isCut: boolean;
}

const PART_LINES_MAX = 2000;
const LINE_CHARACTERS_MAX = 2000;

/** The lines of a text from a position on, as many as a page shows at once. */
export function linesFrom(text: string, from: number): TextPart {
  const lines: string[] = [];
  let isCut = false;
  let at = from;
  while (at < text.length && lines.length < PART_LINES_MAX) {
    const found = text.indexOf("\n", at);
    const end = found === -1 ? text.length : found;
    const shown = Math.min(end, at + LINE_CHARACTERS_MAX);
    isCut ||= shown < end;
    lines.push(text.slice(at, shown));
    at = end + 1;
  }
  return { lines, nextAt: at < text.length ? at : undefined, isCut };
}

/** The first and last line of `12-30` or `12`; undefined if it is neither. */
export function parseLines(text: string | undefined): readonly [number, number] | undefined {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text ?? "") ?? [];
  return first === undefined ? undefined : [Number(first), Number(last ?? first)];
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp)$/i;

/** How a file is shown: as a picture, or as text where the engine finds that it is text. */
export function kindOf(path: string): "image" | "text" {
  return IMAGE.test(path) ? "image" : "text";
}
