import { readSources } from "./sources.ts";

/** Comment lines that follow each other, as one text. */
export interface Comment {
  file: string;
  /** File and line of its beginning. */
  at: string;
  text: string;
}

const OWN_LINE = /^\s*(?:\/\*\*?|\*\/|\*|\/\/)\s?(.*?)(?:\*\/)?\s*$/;
const AFTER_CODE = /\s\/\/ (.*)$/;

/** Every comment in the sources below these folders. */
export function readComments(...folders: readonly string[]): Comment[] {
  return readSources(...folders).flatMap(({ path, lines }) => {
    const comments: Comment[] = [];
    let open: Comment | undefined;
    for (const [index, line] of lines.entries()) {
      const own = OWN_LINE.exec(line)?.[1];
      const text = own ?? AFTER_CODE.exec(line)?.[1];
      if (text === undefined) {
        open = undefined;
      } else if (open && own !== undefined) {
        open.text += ` ${text.trim()}`;
      } else {
        open = { file: path, at: `${path}:${index + 1}`, text: text.trim() };
        comments.push(open);
      }
    }
    return comments;
  });
}
