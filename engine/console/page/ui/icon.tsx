import shapes from "./icons.json" with { type: "json" };

/** Outlines on a square of 24, drawn with the colour of the text. */
export type IconName = keyof typeof shapes;

/** A picture beside a word; it says nothing to a screen reader. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
