import { SPARKLINE_BOX, sparklineArea, sparklinePath } from "./sparkline-path.ts";

interface SparklineProps {
  /** The oldest first. */
  values: readonly number[];
  /** How many values fill the width. */
  capacity: number;
  /** What it shows, for a screen reader. */
  label: string;
}

/** The course of a number, in the height of a few lines of text. */
export function Sparkline({ values, capacity, label }: SparklineProps) {
  const { width, height } = SPARKLINE_BOX;
  const line = sparklinePath(values, capacity);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="area" d={sparklineArea(line)} />
      <path d={line} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
