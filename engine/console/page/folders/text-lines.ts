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
