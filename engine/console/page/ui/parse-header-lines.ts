/**
 * Headers of lines `Name: value`, one a line; empty lines do not count.
 * @throws Error that names the line
 */
export function parseHeaderLines(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    if (name === "" || value === "") throw new Error(`Line ${at + 1}: write it as "Name: value".`);
    headers[name] = value;
  }
  return headers;
}
