/** Characters that change how a text looks without being seen: controls, directions, zero width, and other line breaks. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A text in which everything can be seen: `\u{202e}` in the place of a character that would turn its order round. */
export function toVisible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === "\r") return "\\r";
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
}
