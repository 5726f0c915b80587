import families from "./known-windows.json" with { type: "json" };

// Context windows in tokens, as their makers state them. The longest family that a name has at the beginning of a word counts.
const FAMILIES: Readonly<Record<string, number>> = families;

/** The window of a well-known model by its name, in tokens; undefined if its family is not known. */
export function findKnownWindow(model: string): number | undefined {
  const name = model.toLowerCase();
  const families = Object.keys(FAMILIES).filter((family) => {
    const at = name.indexOf(family);
    return at === 0 || (at > 0 && /[^a-z0-9]/.test(name.charAt(at - 1)));
  });
  const [longest] = families.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? undefined : FAMILIES[longest];
}
