/** Outlines on a square of 24, drawn with the colour of the text. */
const SHAPES = {
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  chat: "M4 5h16v11H9l-5 4z",
  folder: "M3 6h7l2 2h9v11H3z",
  models: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  usage: "M5 20V10M12 20V4M19 20v-7",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  done: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4l9 16H3zM12 10v5M12 17.6v.4",
  problem: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V13M12 16v.4",
} as const;

export type IconName = keyof typeof SHAPES;

/** A picture beside a word; it says nothing to a screen reader. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
