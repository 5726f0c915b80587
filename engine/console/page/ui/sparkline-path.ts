/** The square that the line is drawn in; the picture stretches it. */
export const SPARKLINE_BOX = { width: 100, height: 24 } as const;

const INSET = 1.5;

/** A line through the values, the last one at the right edge; empty for less than two. `capacity` values fill the width. */
export function sparklinePath(values: readonly number[], capacity: number): string {
  if (values.length < 2) return "";
  const shown = values.slice(-capacity);
  const low = Math.min(...shown);
  const range = Math.max(...shown) - low;
  const step = SPARKLINE_BOX.width / Math.max(1, capacity - 1);
  const height = SPARKLINE_BOX.height - 2 * INSET;
  const points = shown.map((value, at) => {
    const x = SPARKLINE_BOX.width - (shown.length - 1 - at) * step;
    // Equal values are a line in the middle.
    const share = range === 0 ? 0.5 : (value - low) / range;
    return `${round(x)} ${round(INSET + (1 - share) * height)}`;
  });
  return `M${points.join("L")}`;
}

/** The same line, closed along the bottom. */
export function sparklineArea(line: string): string {
  const left = line.slice(1).split(" ")[0];
  return line === "" ? "" : `${line}V${SPARKLINE_BOX.height}H${left}Z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
