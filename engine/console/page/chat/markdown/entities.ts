/** The entities that people and models write; others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "amp& lt< gt> quot\" apos' nbsp\u00a0 copy© reg® trade™ deg° plusmn± times× divide÷ middot· bull• hellip… " +
    "ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” larr← rarr→ uarr↑ darr↓ le≤ ge≥ ne≠ euro€"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

const ENTITY = /&([a-z]{2,8});/g;

/** A text with its named entities as the characters that they mean; the lexer has decoded the numbered ones. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    ENTITY,
    (written, name) => (Object.hasOwn(NAMED, name) && NAMED[name]) || written,
  );
}
