// Lines on a field of 24, drawn with a pen of 1.8.
const ICONS = {
  passkey:
    "M9 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M2.5 20a6.5 6.5 0 0 1 10-5.5M17.5 9a3 3 0 0 1 1 5.8V21l-1.5-1.5 1.5-1.5-1.5-1.3v-1.9a3 3 0 0 1 .5-5.8",
  password: "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3M12 15v2",
  mail: "M3 6h18v12H3zM3.5 6.5 12 13l8.5-6.5",
  eye: "M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6",
  eyeOff:
    "M4 4l16 16M9.5 5.8A9 9 0 0 1 12 5.5c6.5 0 10 6.5 10 6.5a17 17 0 0 1-3 3.7M6 7.6A16 16 0 0 0 2 12s3.5 6.5 10 6.5a9 9 0 0 0 3.6-.8",
  computer: "M4 5h16v11H4zM2 20h20",
  phone: "M7 2.5h10v19H7zM11 18.5h2",
  program: "M3 4h18v16H3zM7 9l3 3-3 3M12.5 15H17",
  key: "M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8M11 12l8-8M15 8l3 3",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  close: "M6 6l12 12M18 6 6 18",
} as const;

/** The names of icons. */
export type IconName = keyof typeof ICONS;

/** A picture beside words that say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 24 24" class="icon line" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
