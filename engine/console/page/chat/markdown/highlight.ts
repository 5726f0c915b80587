import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);

/** A part of code: text, or an element whose class is its colour. */
export type CodePart = ReturnType<typeof lowlight.highlight>["children"][number];

/** Code in its parts; undefined if the language is not known. */
export function highlight(code: string, language: string): readonly CodePart[] | undefined {
  return lowlight.registered(language) ? lowlight.highlight(language, code).children : undefined;
}
