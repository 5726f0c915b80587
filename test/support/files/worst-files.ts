/** Lines of a file that once took a regular expression a time far beyond their length, each of about this many characters. */
export const worstLines: Readonly<Record<string, (length: number) => string>> = {
  "a heading of blanks that ends in a line separator": (length) =>
    `# a${" ".repeat(length)}\u2028y\n`,
  "a heading of hash signs": (length) => `# a${"# ".repeat(length / 2)}x\n`,
  "beginnings of tokens": (length) => "-eyJaaaaaaaaaaa".repeat(length / 15),
  "tokens without an end": (length) => ".eyJaaaaaaaaaaaa".repeat(length / 16),
  "beginnings of keys": (length) => "-----BEGIN PRIVATE KEY-----".repeat(length / 27),
  "beginnings of keys with something between": (length) =>
    "-----BEGIN PRIVATE KEY-----{".repeat(length / 28),
  "words of a key's label": (length) => `-----BEGIN ${"A ".repeat(length / 2)}`,
  "a title of blanks": (length) => `---\ntitle: a${" ".repeat(length)}\u2028y\n---\n`,
  "a rule that breaks off": (length) => `${"- ".repeat(length / 2)}x\n`,
  "ends of sentences and blanks": (length) =>
    `${". ".repeat(length / 4)}${" ".repeat(length / 2)}x\n`,
  "line breaks alone": (length) => `x${"\n".repeat(length)}`,
  "a declaration that never comes": (length) => `${"export ".repeat(length / 7)}\n`,
  "a parenthesis that stays open": (length) => `${"pub(".repeat(length / 4)}\n`,
};
