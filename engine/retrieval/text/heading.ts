/** The part of a line that is checked for a heading. */
const HEADING_LINE_CHARACTERS_MAX = 1_000;

/** A Markdown heading with its level and its title, without the marks around it; undefined for any other line. */
export function parseHeading(line: string): { level: number; title: string } | undefined {
  const head = line.slice(0, HEADING_LINE_CHARACTERS_MAX);
  const level = /^#{1,6}(?=\s)/.exec(head)?.[0].length;
  if (level === undefined) return undefined;
  const text = head.slice(level).trim();
  if (text === "" || /[\r\n\u2028\u2029]/.test(text)) return undefined;
  let end = text.length;
  while (end > 1 && text[end - 1] === "#") end -= 1;
  return { level, title: text.slice(0, end).trimEnd() };
}
