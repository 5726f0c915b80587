/** Crockford's base32: no letter looks like a digit. */
export const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code as it was shown, of what a person enters: in either case, with blanks or hyphens, with letters that look like digits. */
export function toCodeText(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\s-]/g, "")
    .toUpperCase()
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
}

/** Whether every character of `toCodeText` is one of the alphabet. */
export function isCrockford(code: string): boolean {
  return [...code].every((letter) => LETTERS.includes(letter));
}
