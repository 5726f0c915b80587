/** Characters that change how a text looks without being seen: controls, directions, zero width, and other line breaks. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in which everything can be seen: `\u{202e}` in the place of a character that would turn its order round. */
export function toVisible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === "\r") return "\\r";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
