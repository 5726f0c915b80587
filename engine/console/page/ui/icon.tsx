/** Outlines on a square of 24, drawn with the colour of the text. */
const SHAPES = {
  chat: "M4 5h16v11H9l-5 4z",
  new: "M12 5v14M5 12h14",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  folder: "M3 6h7l2 2h9v11H3z",
  models: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  tools: "M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.5-5.5a4 4 0 0 0 5-5L15 12l-3-3z",
  approvals: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4",
  key: "M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 12.5L4 20M7 17l2.5 2.5",
  usage: "M5 20V10M12 20V4M19 20v-7",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  done: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4l9 16H3zM12 10v5M12 17.6v.4",
  problem: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V13M12 16v.4",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M6 12v.01M12 12v.01M18 12v.01",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  attach:
    "M19 11l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.3a3 3 0 0 1 4.2 4.2l-7.7 7.8a1.5 1.5 0 0 1-2.1-2.1L14 7.5",
  send: "M12 20V5M5.5 11.5L12 5l6.5 6.5",
  choose: "M8 10l4 4 4-4",
} as const;

export type IconName = keyof typeof SHAPES;

/** A picture beside a word; it says nothing to a screen reader. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
