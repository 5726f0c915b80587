/** The letters that lead to pages after `g`, by path: the first letter of each path that is not taken. */
export function letterOfPages(paths: readonly string[]): ReadonlyMap<string, string> {
  const letters = new Map<string, string>();
  for (const path of paths) {
    const letter = [...path].find((it) => !letters.has(it));
    if (letter !== undefined) letters.set(letter, path);
  }
  return letters;
}

/** A key as far as shortcuts need it. */
interface PressedKey {
  key: string;
  hasModifier: boolean;
  /** Whether the focus is where text is typed. */
  isTyping: boolean;
}

/** What a key does; `go` waits for a letter, `write` goes to the first field of the page. */
export type Action =
  | { type: "help" | "search" | "write" | "go" | "leave" }
  | { type: "page"; path: string }
  | undefined;

/** The action of a key, after `g` or not. Where text is typed, only Escape and the search do something. */
export function actionOf(
  { key, hasModifier, isTyping }: PressedKey,
  isAfterGo: boolean,
  letters: ReadonlyMap<string, string>,
): Action {
  if (hasModifier) return key === "k" ? { type: "search" } : undefined;
  if (isTyping) return key === "Escape" ? { type: "leave" } : undefined;
  const path = isAfterGo ? letters.get(key) : undefined;
  if (path !== undefined) return { type: "page", path };
  if (key === "?") return { type: "help" };
  if (key === "/") return { type: "write" };
  if (key === "g") return { type: "go" };
  return undefined;
}
