/** A text in parts: those at odd places are words of the query, as they are written. */
export function markWords(text: string, query: string): string[] {
  const words = query.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [text];
  return text.split(new RegExp(`(${words.map(RegExp.escape).join("|")})`, "gi"));
}
