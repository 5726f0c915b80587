// Control characters but tab and line feed, and the marks that change the direction of writing.
const HARMFUL = /[\0-\b\v-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text of another program for a terminal: it can neither move the cursor nor reorder what is shown. */
export function toPrintable(text: string): string {
  return text.replace(HARMFUL, "");
}
