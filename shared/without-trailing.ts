/** The text without these characters at its end. Linear: a pattern such as `/+$/` is quadratic in the length of its runs. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
